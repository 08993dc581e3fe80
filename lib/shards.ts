/** The `Source` of payment events on the bus. */
export const EVENT_SOURCE = 'payments';

/** One for each character that a payment id may end in, or one for four of them. */
export type ShardCount = 16 | 64;

const PAYMENT_ID_CHARACTERS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_';

export interface Shard {
  /** Also the message group of its events. */
  readonly name: string;
  /** The last characters of this shard's payment ids. */
  readonly suffixes: readonly string[];
}

/**
 * Payment ids by their last character. Ids of decimal digits, of hexadecimal digits in either case and of the
 * whole alphabet all spread as evenly as possible.
 */
export function shardsOf(count: ShardCount): readonly Shard[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `shard-${String(index).padStart(2, '0')}`,
    suffixes: [...PAYMENT_ID_CHARACTERS].filter((character) => indexOf(character, count) === index),
  }));
}

function indexOf(character: string, count: ShardCount): number {
  const place = PAYMENT_ID_CHARACTERS.indexOf(character);
  if (count === PAYMENT_ID_CHARACTERS.length) {
    return place;
  }
  // Both cases of a hexadecimal digit.
  const digit = Number.parseInt(character, 36);
  return (Number.isNaN(digit) ? place : digit) % count;
}

export function shardPattern({ suffixes }: Shard) {
  return { payment_id: suffixes.map((suffix) => ({ suffix })) };
}

/** The name of the rule for what no shard takes. */
export const REST = 'rest';

/**
 * Matches what no shard takes: another last character, an empty id, no payment id, null, or a value that is
 * not a string.
 */
export function restPattern() {
  return {
    payment_id: [{ 'anything-but': { suffix: [...PAYMENT_ID_CHARACTERS] } }, { exists: false }, null],
  };
}
