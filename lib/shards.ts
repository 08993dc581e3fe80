/** The `Source` of payment events on the bus. */
export const EVENT_SOURCE = 'payments';

const SHARD_COUNT = 16;
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
export const SHARDS: readonly Shard[] = Array.from({ length: SHARD_COUNT }, (_, index) => ({
  name: `shard-${String(index).padStart(2, '0')}`,
  suffixes: [...PAYMENT_ID_CHARACTERS].filter((character) => shardOf(character) === index),
}));

function shardOf(character: string): number {
  const digit = Number.parseInt(character, 36);
  return Number.isNaN(digit) ? PAYMENT_ID_CHARACTERS.indexOf(character) % SHARD_COUNT : digit % SHARD_COUNT;
}

export function shardPattern({ suffixes }: Shard) {
  return { payment_id: suffixes.map((suffix) => ({ suffix })) };
}

/**
 * Matches what no shard takes: another last character, an empty id, no payment id, null, or a value that is
 * not a string.
 */
export function restPattern() {
  return {
    payment_id: [{ 'anything-but': { suffix: [...PAYMENT_ID_CHARACTERS] } }, { exists: false }, null],
  };
}
