import type { SQSClient } from '@aws-sdk/client-sqs';
import { sendAll } from './queue-batch.ts';

/** A record of a FIFO queue. */
interface Received {
  readonly recordId: string;
  readonly body: string;
}

/**
 * Sends records of a FIFO queue to another message group of it. The deduplication id is the record's own id:
 * if its first copy is still there to be forwarded again, SQS drops the second for five minutes, and a record
 * that an operator put back has another id.
 *
 * @throws when one was not accepted
 */
export function forwardQueue(client: SQSClient, queueUrl: string) {
  return async (records: readonly Received[], group: string): Promise<void> => {
    const { untaken, internalErrors } = await sendAll(
      client,
      queueUrl,
      records.map(({ recordId, body }) => ({ body, group, deduplicationId: recordId })),
    );
    if (untaken.length > 0) {
      const [
        error = new Error(
          `SQS did not take ${untaken.length} of ${records.length} records for group ${group}`,
        ),
      ] = internalErrors;
      throw error;
    }
  };
}
