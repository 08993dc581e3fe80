import { resourceKey } from '../../functions/core/message/message.ts';
import type { Receipt } from '../../functions/load-lab/receiver/receipt.ts';
import { PRICES } from '../../lib/prices.ts';
import type { Cost } from '../results/run-result.ts';
import { sum } from '../statistics/sum.ts';
import { rounded } from './rounded.ts';

const GIGABYTE = 1e9;
const MILLION = 1_000_000;

/** Bytes of all deliveries together; undefined when unknown. */
interface Bytes {
  /** Stored in the history table. */
  readonly storedBytes?: number | undefined;
  /** Sent to partners, headers included, all attempts. */
  readonly egressBytes?: number | undefined;
}

/**
 * Storage for a month and egress. They stand beside the price, as they depend on the size of the publisher's
 * bodies.
 */
export function besideOf(
  { storedBytes, egressBytes }: Bytes,
  deliveries: number,
): NonNullable<Cost['beside']> {
  const amount = (bytes: number, gigabytePrice: number) => ({
    bytes_per_delivery: Math.round(bytes / deliveries),
    per_million: rounded((bytes / deliveries / GIGABYTE) * gigabytePrice * MILLION),
  });
  return {
    ...(storedBytes === undefined ? {} : { stored_month: amount(storedBytes, PRICES.storedGigabyteMonth) }),
    ...(egressBytes === undefined ? {} : { egress: amount(egressBytes, PRICES.sentGigabyte) }),
  };
}

/** Bytes received for some messages, all attempts; undefined when no receipt has a size. */
export function egressOf(
  receipts: readonly Pick<Receipt, 'webhook_id' | 'size_bytes'>[],
  messageIds: ReadonlySet<string>,
): number | undefined {
  const sizes = receipts.flatMap(({ webhook_id = '', size_bytes }) =>
    messageIds.has(webhook_id) ? (size_bytes ?? []) : [],
  );
  return sizes.length === 0 ? undefined : sum(sizes);
}

/** Number of events looked up as a sample. */
const SAMPLED_EVENTS = 50;

/** A message of the run, and its service. */
export interface Stored {
  readonly messageId: string;
  readonly eventId: string;
  readonly serviceId: string;
}

/**
 * Bytes that the history stores of all messages, extrapolated from an even sample of events.
 *
 * @param bytesIn bytes that it stores in some of its partitions
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
