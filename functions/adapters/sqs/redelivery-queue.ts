import { ChangeMessageVisibilityBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { chunks } from '../dynamodb/chunks.ts';
import { MAX_ENTRIES } from './queue-batch.ts';

/** The worker has little time left, and the record returns in any case, only later. */
const MAX_CALL_MS = 2_000;

/** A received record, and in how many seconds the queue should deliver it again. */
export interface Delay {
  readonly receipt: string;
  readonly seconds: number;
}

/**
 * Shortens the visibility timeout of records, so that they return after this delay. One try each, with a time
 * limit. Never rejects: after a failure the record returns when the visibility timeout of the queue ends.
 * Answers the receipts of these.
 *
 * A FIFO queue delivers nothing of a group while any of its records is invisible, so the records of a group
 * stay in order even when only some were changed. Source: "Amazon SQS visibility timeout" and "FIFO queue
 * delivery logic", Amazon SQS Developer Guide.
 */
export function comeBackQueue(
  client: SQSClient,
  queueUrl: string,
  onInternalError: (error: unknown) => void,
) {
  return async (delays: readonly Delay[]): Promise<ReadonlySet<string>> => {
    const late = await Promise.all(
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
            { abortSignal: AbortSignal.timeout(MAX_CALL_MS) },
          );
          for (const { Code, Message } of Failed) {
            onInternalError(new Error(`a record returns late: ${Code} ${Message}`));
          }
          const failed = new Set(Failed.map(({ Id }) => Id));
          return some.filter((_, index) => failed.has(String(index)));
        } catch (error) {
          onInternalError(error);
          return some;
        }
      }),
    );
    return new Set(late.flat().map(({ receipt }) => receipt));
  };
}
