import { orderingKey } from './message.ts';

/** SQS takes at most so many entries in one call. */
const BATCH_SIZE = 10;

/** What belongs to an ordering key. */
interface Keyed {
  readonly subscription_id: string;
  readonly payment_id: string;
}

/**
 * Splits messages into batches to be sent one after another, so that the messages of a key stay in order and never share a batch: a batch
 * may fail in part, and the later of two would overtake the earlier. Each goes into the first batch with room behind its predecessor's.
 */
export function inSendingOrder<M extends Keyed>(messages: readonly M[]): M[][] {
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

/**
 * Sends messages, batch after batch. Once one of a key was not taken, none of that key that comes after it is sent.
 *
 * @param send takes a batch, and answers those that were not taken
 * @returns those that were not sent
 */
export async function sendInOrder<M extends Keyed>(
  messages: readonly M[],
  send: (batch: readonly M[]) => Promise<readonly M[]>,
): Promise<ReadonlySet<M>> {
  const unsent = new Set<M>();
  const heldKeys = new Set<string>();
  for (const batch of inSendingOrder(messages)) {
    const free = batch.filter((message) => !heldKeys.has(orderingKey(message)));
    const refused = free.length === 0 ? [] : await send(free);
    for (const message of refused) {
      heldKeys.add(orderingKey(message));
    }
    for (const message of batch.filter((one) => heldKeys.has(orderingKey(one)))) {
      unsent.add(message);
    }
  }
  return unsent;
}
