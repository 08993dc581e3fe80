import { partsOf } from '../../functions/core/message/message.ts';
import type { Receipt } from '../../functions/load-lab/receiver/receipt.ts';
import { PRICES } from '../../lib/prices.ts';
import type { Cost } from '../results/run-result.ts';
import { sum } from '../statistics/sum.ts';
import { rounded } from './ours.ts';

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

/** Number of payments looked up as a sample. */
const SAMPLED_PAYMENTS = 50;

/** A message of the run. */
export interface Stored {
  readonly messageId: string;
}

/**
 * Bytes that the history stores of all messages, extrapolated from an even sample of payments.
 *
 * @param bytesIn bytes that it stores of some payments, by their hashes
 */
export async function storedOf(
  messages: readonly Stored[],
  bytesIn: (payments: readonly string[]) => Promise<number>,
): Promise<number | undefined> {
  const payments = [...Map.groupBy(messages, ({ messageId }) => partsOf(messageId).paymentHash)];
  const step = Math.max(1, payments.length / SAMPLED_PAYMENTS);
  const sample = Array.from(
    { length: Math.min(payments.length, SAMPLED_PAYMENTS) },
    (_, index) => payments[Math.floor(index * step)] ?? (['', []] as const),
  );
  const sampled = sample.flatMap(([, some]) => some).length;
  return sampled === 0
    ? undefined
    : ((await bytesIn(sample.map(([payment]) => payment))) / sampled) * messages.length;
}
