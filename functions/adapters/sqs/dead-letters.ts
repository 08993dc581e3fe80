import type { SQSClient } from '@aws-sdk/client-sqs';
import { inSendingOrder } from '../../core/ordering/sending-order.ts';
import { sendAll } from './queue-batch.ts';

/** A record that cannot be processed, and why. */
export interface DeadLetter {
  readonly recordId: string;
  readonly group: string;
  readonly body: string;
  readonly reason: string;
  /** One sentence for each problem. */
  readonly explanation: string;
  /**
   * Set when the record is to be redriven unchanged once our error is fixed: it then stays behind earlier
   * dead letters of the same order. @default - no order
   */
  readonly order?: string;
}

/** Longer than anybody reads. */
const LONGEST_EXPLANATION = 1_000;

/**
 * SQS accepts 1 MiB per call, attributes included. Source: "Amazon SQS message quotas", Amazon SQS Developer
 * Guide.
 */
const MAX_BYTES = 1_000_000;

/** And per record: the rest is for attributes, including those added on redrive. */
const MAX_BODY_BYTES = 1_048_576 - 16_384;

/** Message attribute of a shortened record: the original length of its body in bytes of UTF-8. */
export const CUT_FROM = 'CutFrom';

/**
 * Dead-letters records unchanged, with `Reason` and `Explanation` as message attributes, and in order within
 * each `order`: after one that was not accepted, none behind it is sent. A body that leaves no room for the
 * attributes is cut: a record that could never be dead-lettered would block its group until SQS gives up on
 * it. The deduplication id is the id of the record: one that returns within five minutes is not dead-lettered
 * twice.
 *
 * @returns the ids of the records that were not dead-lettered; never rejects, since only these have to return
 */
export function deadLetters(client: SQSClient, queueUrl: string, onInternalError: (error: unknown) => void) {
  return async (deadLetters: readonly DeadLetter[]): Promise<ReadonlySet<string>> => {
    const left = new Set<string>();
    const blockedOrders = new Set<string>();
    for (const batch of inSendingOrder(deadLetters, { keyOf: orderOf, bytesOf, maxBytes: MAX_BYTES })) {
      const free = batch.filter((deadLetter) => !blockedOrders.has(orderOf(deadLetter)));
      const { untaken, internalErrors } = await sendAll(client, queueUrl, free.map(recordOf));
      internalErrors.forEach(onInternalError);
      const refused = new Set(untaken.map((position) => free[position]));
      for (const deadLetter of batch.filter((one) => refused.has(one) || !free.includes(one))) {
        blockedOrders.add(orderOf(deadLetter));
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
  return Math.min(Buffer.byteLength(body), MAX_BODY_BYTES) + 5 * LONGEST_EXPLANATION;
}

function recordOf({ recordId, group, body, reason, explanation }: DeadLetter) {
  const bytes = Buffer.byteLength(body);
  const isCut = bytes > MAX_BODY_BYTES;
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

/** As much as fits, without a character cut in two. */
function beginningOf(body: string): string {
  return Buffer.from(body)
    .subarray(0, MAX_BODY_BYTES - 3)
    .toString()
    .replace(/\uFFFD$/, '');
}
