import { ChangeMessageVisibilityBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { chunks } from '../dynamodb/chunks.ts';
import { MAX_ENTRIES } from './queue-batch.ts';

/** A worker has little time left then, and what is given up comes back all the same, only later. */
const LONGEST_CALL_MS = 2_000;

/** A record that its worker has, and in how many s the queue is to hand it out again. */
export interface Delay {
  readonly receipt: string;
  readonly seconds: number;
}

/**
 * Has a queue hand records out again after so long, instead of after its whole visibility timeout. One try each, bounded in time. Never rejects: a record whose visibility
 * could not be changed comes back when that of the queue is over. In a FIFO queue nothing of a group is handed out while any record of it is hidden, so records of a
 * group keep their order even when only some were changed.
 * Source: "Amazon SQS visibility timeout" and "FIFO queue delivery logic", Amazon SQS Developer Guide.
 */
export function comeBackQueue(
  client: SQSClient,
  queueUrl: string,
  onInternalError: (error: unknown) => void,
) {
  return async (delays: readonly Delay[]): Promise<void> => {
    await Promise.all(
      chunks(delays, MAX_ENTRIES).map(async (some) => {
        try {
          const { Failed = [] } = await client.send(
            new ChangeMessageVisibilityBatchCommand({
              QueueUrl: queueUrl,
              Entries: some.map(({ receipt, seconds }, index) => ({
                Id: String(index),
                ReceiptHandle: receipt,
                VisibilityTimeout: seconds,
              })),
            }),
            { abortSignal: AbortSignal.timeout(LONGEST_CALL_MS) },
          );
          for (const { Code, Message } of Failed) {
            onInternalError(new Error(`a record comes back late: ${Code} ${Message}`));
          }
        } catch (error) {
          onInternalError(error);
        }
      }),
    );
  };
}
