import { inSendingOrder } from '../../../functions/core/ordering/sending-order.ts';
import type { DeadLetter } from './dead-letter.ts';

/**
 * Why a dead letter stays. `unusable`: the worker would dead-letter it again. `cut`: only its beginning is
 * here. `failed_again`: it, or another one of its key, was put back before and is here again. `over_limit`:
 * --limit is reached.
 */
export type Stay = 'unusable' | 'cut' | 'failed_again' | 'over_limit';

export interface Plan {
  /** Sent one after another. SQS may take a part of a batch, so dead letters of one key never share one. */
  readonly batches: readonly (readonly DeadLetter[])[];
  readonly stays: readonly { readonly deadLetter: DeadLetter; readonly why: Stay }[];
}

export interface PlanOptions {
  readonly alsoUnusable: boolean;
  /** Also what was put back before and is here again. */
  readonly again: boolean;
  readonly limit: number;
}

/** SQS takes 1 MiB in one call, attributes included. */
export const MAX_BYTES = 1_000_000;
const ATTRIBUTE_BYTES = 200;
const AFTER_ALL = '~';

/** Which dead letters go back, in which order, and which stay. */
export function planOf(deadLetters: readonly DeadLetter[], wanted: PlanOptions): Plan {
  const failing = new Set(
    deadLetters
      .filter(({ isUsable, putBackAt }) => isUsable && putBackAt !== undefined)
      .map(({ key }) => key),
  );
  const judged = deadLetters.map((deadLetter) => ({ deadLetter, why: stayOf(deadLetter, failing, wanted) }));
  const going = judged.filter(({ why }) => why === undefined).map(({ deadLetter }) => deadLetter);

  const ordered = [...Map.groupBy(going, ({ key }) => key).values()].flatMap((ofKey) =>
    ofKey.toSorted(byPosition),
  );
  const batches: (readonly DeadLetter[])[] = [];
  const overLimit: DeadLetter[] = [];
  let room = wanted.limit;
  for (const batch of inSendingOrder(ordered, { keyOf: ({ key }) => key, bytesOf, maxBytes: MAX_BYTES })) {
    // The first ones of each key: later ones are in later batches.
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
      ...judged.flatMap(({ deadLetter, why }) => (why === undefined ? [] : [{ deadLetter, why }])),
      ...overLimit.map((deadLetter) => ({ deadLetter, why: 'over_limit' as const })),
    ],
  };
}

function stayOf(deadLetter: DeadLetter, failing: ReadonlySet<string>, wanted: PlanOptions): Stay | undefined {
  if (deadLetter.isCut) {
    return 'cut';
  }
  if (!deadLetter.isUsable && !wanted.alsoUnusable) {
    return 'unusable';
  }
  return !wanted.again && failing.has(deadLetter.key) ? 'failed_again' : undefined;
}

function byPosition(
  { position: a = AFTER_ALL }: DeadLetter,
  { position: b = AFTER_ALL }: DeadLetter,
): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function bytesOf({ goes }: DeadLetter): number {
  return Buffer.byteLength(goes.body) + ATTRIBUTE_BYTES;
}
