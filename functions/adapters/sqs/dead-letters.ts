import type { SQSClient } from '@aws-sdk/client-sqs';
import { inSendingOrder } from '../../core/ordering/sending-order.ts';
import { sendAll } from './queue-batch.ts';

/** A record that cannot be used, and why. */
export interface DeadLetter {
  readonly recordId: string;
  readonly group: string;
  readonly body: string;
  readonly reason: string;
  /** One sentence for each fault. */
  readonly explanation: string;
  /** It will be put back as it is, once something of ours is mended, and stay behind those of the same order that were put aside before. @default - no order */
  readonly order?: string;
}

/** Nobody reads on after this. */
const LONGEST_EXPLANATION = 1_000;

/** SQS takes 1 MiB in one call, attributes included. Source: "Amazon SQS message quotas", Amazon SQS Developer Guide. */
const MAX_BYTES = 1_000_000;

/** And so of one record: the rest is for its attributes, those that come when it is put back among them. */
const LARGEST_BODY_BYTES = 1_048_576 - 16_384;

/** Message attribute of a record whose body was longer: how long, in bytes of UTF-8. */
export const CUT_FROM = 'CutFrom';

/**
 * Puts records aside as they were, with `Reason` and `Explanation` as message attributes, those of one `order` one after another: once one was not taken, none behind
 * it goes. A body that leaves no room for these is cut: a record that could never be put aside would hold up its group until SQS gives it up. The record's own id is the deduplication id: one that comes again within five minutes is not buried twice.
 *
 * @returns the ids of the records that could not be put aside; never rejects, since they alone have to come again
 */
export function deadLetters(client: SQSClient, queueUrl: string, onInternalError: (error: unknown) => void) {
  return async (deadLetters: readonly DeadLetter[]): Promise<ReadonlySet<string>> => {
    const left = new Set<string>();
    const heldOrders = new Set<string>();
    for (const batch of inSendingOrder(deadLetters, { keyOf: orderOf, bytesOf, maxBytes: MAX_BYTES })) {
      const free = batch.filter((deadLetter) => !heldOrders.has(orderOf(deadLetter)));
      const { untaken, internalErrors } = await sendAll(client, queueUrl, free.map(recordOf));
      internalErrors.forEach(onInternalError);
      const refused = new Set(untaken.map((position) => free[position]));
      for (const deadLetter of batch.filter((one) => refused.has(one) || !free.includes(one))) {
        heldOrders.add(orderOf(deadLetter));
        left.add(deadLetter.recordId);
      }
    }
    return left;
  };
}

function orderOf({ order, recordId }: DeadLetter): string {
  return order ?? recordId;
}

function bytesOf({ body }: DeadLetter): number {
  return Math.min(Buffer.byteLength(body), LARGEST_BODY_BYTES) + 5 * LONGEST_EXPLANATION;
}

function recordOf({ recordId, group, body, reason, explanation }: DeadLetter) {
  const bytes = Buffer.byteLength(body);
  const isCut = bytes > LARGEST_BODY_BYTES;
  return {
    body: isCut ? beginningOf(body) : body,
    group,
    deduplicationId: recordId,
    attributes: {
      Reason: reason,
      Explanation: explanation.slice(0, LONGEST_EXPLANATION),
      ...(isCut ? { [CUT_FROM]: String(bytes) } : {}),
    },
  };
}

/** As much as fits; a character at its end that is cut in two is left out. */
function beginningOf(body: string): string {
  return Buffer.from(body)
    .subarray(0, LARGEST_BODY_BYTES - 3)
    .toString()
    .replace(/\uFFFD$/, '');
}
