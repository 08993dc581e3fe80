import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type { Delay } from '../adapters/sqs/redelivery-queue.ts';
import { comeBacks } from '../core/ordering/redelivery.ts';

interface AnswerPorts {
  /** Makes records visible again after their delays. Never rejects. */
  readonly comeBack: (delays: readonly Delay[]) => Promise<void>;
  /** Called when the work fails as a whole. Never fails. */
  readonly internalError: (error: unknown) => void;
}

/**
 * Processes a batch and returns its response to SQS. Never rejects: if the work fails as a whole, all records
 * are returned after 1 s, 2 s, 4 s ... (see `comeBacks`), while after a thrown error they would wait for the
 * end of the visibility timeout.
 *
 * @param work returns the ids of the records that have to come again
 */
export async function answerBatch(
  records: readonly SQSRecord[],
  work: () => Promise<readonly string[]>,
  { comeBack, internalError }: AnswerPorts,
): Promise<SQSBatchResponse> {
  let again: ReadonlySet<string>;
  try {
    again = new Set(await work());
  } catch (error) {
    internalError(error);
    again = new Set(records.map(({ messageId }) => messageId));
  }
  const returned = records.filter(({ messageId }) => again.has(messageId));
  const delays = comeBacks(
    returned.map(({ messageId, attributes }) => ({
      recordId: messageId,
      group: attributes.MessageGroupId,
      receiveCount: Number(attributes.ApproximateReceiveCount),
    })),
  );
  await comeBack(
    delays.map(({ seconds }, index) => ({ receipt: (returned[index] as SQSRecord).receiptHandle, seconds })),
  );
  return { batchItemFailures: returned.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}
