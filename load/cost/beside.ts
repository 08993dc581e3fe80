import { resourceKey } from '../../functions/core/message/message.ts';
import type { Receipt } from '../../functions/load-lab/receiver/receipt.ts';
import { PRICES } from '../../lib/prices.ts';
import type { Cost } from '../results/run-result.ts';
import { rounded } from './rounded.ts';

const GIGABYTE = 1e9;
const MILLION = 1_000_000;

/** Of all deliveries together; undefined where it is not known. */
export interface Carried {
  /** That the table of the history holds of them. */
  readonly storedBytes?: number | undefined;
  /** That left for the partners, headers included, all attempts. */
  readonly egressBytes?: number | undefined;
}

/** What stands beside the price, since it depends on the publisher's bodies: a month of storage, and what goes out to the internet. */
export function besideOf(
  { storedBytes, egressBytes }: Carried,
  deliveries: number,
): NonNullable<Cost['beside']> {
  const amount = (bytes: number, gigabyte: number) => ({
    bytes_per_delivery: Math.round(bytes / deliveries),
    per_million: rounded((bytes / deliveries / GIGABYTE) * gigabyte * MILLION),
  });
  return {
    ...(storedBytes === undefined ? {} : { stored_month: amount(storedBytes, PRICES.storedGigabyteMonth) }),
    ...(egressBytes === undefined ? {} : { egress: amount(egressBytes, PRICES.sentGigabyte) }),
  };
}

/** What came to receivers of some messages, all attempts; undefined where no receipt tells its size. */
export function egressOf(
  receipts: readonly Pick<Receipt, 'webhook_id' | 'size_bytes'>[],
  messageIds: ReadonlySet<string>,
): number | undefined {
  const sizes = receipts.flatMap(({ webhook_id = '', size_bytes }) =>
    messageIds.has(webhook_id) ? (size_bytes ?? []) : [],
  );
  return sizes.length === 0 ? undefined : sizes.reduce((sum, bytes) => sum + bytes, 0);
}

/** So many events are looked up: the others are like them. */
const SAMPLED_EVENTS = 50;

/** A message that a run expects, and whose it is. */
export interface Stored {
  readonly messageId: string;
  readonly eventId: string;
  readonly serviceId: string;
}

/**
 * What the history holds of all of these messages, by a sample of their events from the first to the last.
 *
 * @param bytesIn what it holds in some of its partitions
 */
export async function storedOf(
  messages: readonly Stored[],
  bytesIn: (partitions: readonly string[]) => Promise<number>,
): Promise<number | undefined> {
  const events = [...Map.groupBy(messages, ({ eventId, serviceId }) => `${serviceId} ${eventId}`).values()];
  const step = Math.max(1, events.length / SAMPLED_EVENTS);
  const sample = Array.from(
    { length: Math.min(events.length, SAMPLED_EVENTS) },
    (_, index) => events[Math.floor(index * step)] ?? [],
  ).flat();
  if (sample.length === 0) return undefined;
  const partitions = sample.flatMap(({ messageId, eventId, serviceId }) => [
    messageId,
    resourceKey({ service_id: serviceId, event_id: eventId }),
  ]);
  return ((await bytesIn([...new Set(partitions)])) / sample.length) * messages.length;
}
