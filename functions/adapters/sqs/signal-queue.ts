import { randomUUID } from 'node:crypto';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { orderingKey } from '../../core/message/message.ts';
import type { Signals } from '../../core/ordering/ports.ts';
import { sendAll } from './queue-batch.ts';

/**
 * Sends signals to `deliveries.fifo`, each in the message group of its ordering key and with a fresh
 * deduplication id: SQS would drop a repeated one for five minutes.
 *
 * @returns those that were not accepted; never rejects: `onInternalError` gets the reason when a whole batch
 * was refused
 */
export function signalQueue(
  client: SQSClient,
  queueUrl: string,
  onInternalError: (error: unknown) => void,
): Signals['signal'] {
  return async (signals) => {
    const { untaken, internalErrors } = await sendAll(
      client,
      queueUrl,
      signals.map((signal) => ({
        body: JSON.stringify(signal),
        group: orderingKey(signal),
        deduplicationId: randomUUID(),
      })),
    );
    internalErrors.forEach(onInternalError);
    return untaken.map((index) => signals[index]).filter((signal) => signal !== undefined);
  };
}
