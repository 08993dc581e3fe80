import { randomUUID } from 'node:crypto';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { sendAll } from './queue-batch.ts';

/**
 * Sends signals to a FIFO queue, each in its message group and with a fresh deduplication id: SQS would drop
 * a repeated one for five minutes.
 *
 * @returns those that were not accepted; never rejects: `onInternalError` gets the reason when a whole batch
 * was refused
 */
export function freshSignals<Signal extends object>(
  client: SQSClient,
  queueUrl: string,
  groupOf: (signal: Signal) => string,
  onInternalError: (error: unknown) => void,
): (signals: readonly Signal[]) => Promise<readonly Signal[]> {
  return async (signals) => {
    const { untaken, internalErrors } = await sendAll(
      client,
      queueUrl,
      signals.map((signal) => ({
        body: JSON.stringify(signal),
        group: groupOf(signal),
        deduplicationId: randomUUID(),
      })),
    );
    internalErrors.forEach(onInternalError);
    return untaken.map((index) => signals[index]).filter((signal) => signal !== undefined);
  };
}
