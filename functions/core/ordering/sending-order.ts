import { orderingKey } from '../message/message.ts';

/** How many entries SQS takes in one call. */
const BATCH_SIZE = 10;

interface Sending<Item> {
  /** Items with the same key stay in order. */
  readonly keyOf: (item: Item) => string;
  /** Size of its entry; together at most `maxBytes` in a batch. @default - all are small */
  readonly bytesOf?: (item: Item) => number;
  readonly maxBytes?: number;
}

/**
 * Splits items into batches to be sent one after another, so that the items of an ordering key stay in order
 * and never share a batch: a batch may fail in part, and the second of two would overtake the first. Each
 * goes into the first batch with room behind that of its predecessor.
 */
export function inSendingOrder<Item>(
  items: readonly Item[],
  { keyOf, bytesOf = () => 0, maxBytes = Number.POSITIVE_INFINITY }: Sending<Item>,
): Item[][] {
  const batches: { readonly items: Item[]; bytes: number }[] = [];
  const nextBatchOf = new Map<string, number>();
  for (const item of items) {
    const key = keyOf(item);
    const bytes = bytesOf(item);
    let index = nextBatchOf.get(key) ?? 0;
    while (isFull(batches[index], bytes, maxBytes)) {
      index += 1;
    }
    const batch = batches[index] ?? { items: [], bytes: 0 };
    batches[index] = batch;
    batch.items.push(item);
    batch.bytes += bytes;
    nextBatchOf.set(key, index + 1);
  }
  return batches.map((batch) => batch.items);
}

function isFull(
  batch: { readonly items: readonly unknown[]; readonly bytes: number } | undefined,
  bytes: number,
  maxBytes: number,
): boolean {
  return batch !== undefined && (batch.items.length >= BATCH_SIZE || batch.bytes + bytes > maxBytes);
}

/** Something with an ordering key. */
interface Keyed {
  readonly subscription_id: string;
  readonly payment_id: string;
}

/**
 * Sends messages, batch after batch. Once a message was not taken, none behind it in its ordering key is
 * sent.
 *
 * @param send takes a batch, and answers those that were not taken
 * @returns those that were not sent
 */
export async function sendInOrder<M extends Keyed>(
  messages: readonly M[],
  send: (batch: readonly M[]) => Promise<readonly M[]>,
  sizes: Pick<Sending<M>, 'bytesOf' | 'maxBytes'> = {},
): Promise<ReadonlySet<M>> {
  const unsent = new Set<M>();
  const refusedKeys = new Set<string>();
  for (const batch of inSendingOrder(messages, { keyOf: orderingKey, ...sizes })) {
    const free = batch.filter((message) => !refusedKeys.has(orderingKey(message)));
    const refused = free.length === 0 ? [] : await send(free);
    for (const message of refused) {
      refusedKeys.add(orderingKey(message));
    }
    for (const message of batch.filter((one) => refusedKeys.has(orderingKey(one)))) {
      unsent.add(message);
    }
  }
  return unsent;
}
