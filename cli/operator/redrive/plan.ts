import { inSendingOrder } from '../../../functions/core/ordering/sending-order.ts';
import type { Letter } from './dead-letter.ts';

/**
 * Why a dead letter stays. `unusable`: the worker would put it aside again. `cut`: only its beginning is here. `failed_again`: it, or another one of its key, was put back before and
 * has come here again. `over_limit`: so many go at once.
 */
export type Stay = 'unusable' | 'cut' | 'failed_again' | 'over_limit';

export interface Plan {
  /** Sent one after another. The letters of a key stay in order and never share a batch, of which SQS may take a part. */
  readonly batches: readonly (readonly Letter[])[];
  readonly stays: readonly { readonly letter: Letter; readonly why: Stay }[];
}

export interface PlanWish {
  readonly alsoUnusable: boolean;
  /** Also what has come here again. */
  readonly again: boolean;
  /** So many go at most. */
  readonly limit: number;
}

/** SQS takes 1 MiB in one call, attributes included. */
export const MOST_BYTES = 1_000_000;
const ATTRIBUTE_BYTES = 200;
const AFTER_ALL = '~';

/** What goes back of the letters, in which order, and what stays. */
export function planOf(letters: readonly Letter[], wish: PlanWish): Plan {
  const failing = new Set(
    letters.filter(({ isUsable, putBackAt }) => isUsable && putBackAt !== undefined).map(({ key }) => key),
  );
  const judged = letters.map((letter) => ({ letter, why: stayOf(letter, failing, wish) }));
  const going = judged.filter(({ why }) => why === undefined).map(({ letter }) => letter);

  const ordered = [...Map.groupBy(going, ({ key }) => key).values()].flatMap((ofKey) =>
    ofKey.toSorted(byPlace),
  );
  const batches: (readonly Letter[])[] = [];
  const overLimit: Letter[] = [];
  let room = wish.limit;
  for (const batch of inSendingOrder(ordered, { keyOf: ({ key }) => key, bytesOf, mostBytes: MOST_BYTES })) {
    // Of each key its first ones: later ones are in later batches.
    const going = batch.slice(0, room);
    overLimit.push(...batch.slice(room));
    room -= going.length;
    if (going.length > 0) {
      batches.push(going);
    }
  }
  return {
    batches,
    stays: [
      ...judged.flatMap(({ letter, why }) => (why === undefined ? [] : [{ letter, why }])),
      ...overLimit.map((letter) => ({ letter, why: 'over_limit' as const })),
    ],
  };
}

function stayOf(letter: Letter, failing: ReadonlySet<string>, wish: PlanWish): Stay | undefined {
  if (letter.isCut) {
    return 'cut';
  }
  if (!letter.isUsable && !wish.alsoUnusable) {
    return 'unusable';
  }
  return !wish.again && failing.has(letter.key) ? 'failed_again' : undefined;
}

function byPlace({ place: a = AFTER_ALL }: Letter, { place: b = AFTER_ALL }: Letter): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function bytesOf({ goes }: Letter): number {
  return Buffer.byteLength(goes.body) + ATTRIBUTE_BYTES;
}
