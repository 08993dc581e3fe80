import { orderingKey } from '../core/message.ts';

/** SQS takes at most so many entries in one call. */
const BATCH_SIZE = 10;

/**
 * Splits messages into batches to be sent one after another, so that the messages of a key stay in order and never share a batch: a batch
 * may fail in part, and the later of two would overtake the earlier. Each goes into the first batch with room behind its predecessor's.
 */
export function inSendingOrder<M extends { readonly subscription_id: string; readonly payment_id: string }>(
  messages: readonly M[],
): M[][] {
  const batches: M[][] = [];
  const nextBatchOf = new Map<string, number>();
  for (const message of messages) {
    const key = orderingKey(message);
    let index = nextBatchOf.get(key) ?? 0;
    while ((batches[index]?.length ?? 0) >= BATCH_SIZE) {
      index += 1;
    }
    while (batches.length <= index) {
      batches.push([]);
    }
    batches[index]?.push(message);
    nextBatchOf.set(key, index + 1);
  }
  return batches;
}
