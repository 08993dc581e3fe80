import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type { Delay } from '../adapters/sqs/redelivery-queue.ts';
import { comeBacks } from '../core/ordering/redelivery.ts';

interface AnswerPorts {
  /** Has records handed out again after so long. Never rejects. */
  readonly comeBack: (delays: readonly Delay[]) => Promise<void>;
  /** Hears why the work failed as a whole. Never fails. */
  readonly internalError: (error: unknown) => void;
}

/**
 * Does the work of a batch and answers SQS's mapping. Never rejects: the work that fails as a whole brings all its records back, which a thrown error would do only when
 * their whole visibility is over. What comes back does so after 1 s, 2 s, 4 s ...: see `comeBacks`.
 *
 * @param work answers the ids of the records that have to come again
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
