import { randomUUID } from 'node:crypto';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { orderingKey } from '../../core/message/message.ts';
import type { WakePorts } from '../../pipeline/wake/ports.ts';
import { sendAll } from './queue-batch.ts';

/**
 * Sends hints to `deliveries.fifo`, each to the group of its key and with a deduplication id of its own: SQS would swallow a repeated one for five
 * minutes.
 *
 * @returns those that were not taken; never rejects, `onFault` hears why a whole batch was refused
 */
export function hintQueue(
  client: SQSClient,
  queueUrl: string,
  onFault: (error: unknown) => void,
): WakePorts['hint'] {
  return async (hints) => {
    const { untaken, faults } = await sendAll(
      client,
      queueUrl,
      hints.map((hint) => ({
        body: JSON.stringify(hint),
        group: orderingKey(hint),
        deduplicationId: randomUUID(),
      })),
    );
    faults.forEach(onFault);
    return untaken.map((index) => hints[index]).filter((hint) => hint !== undefined);
  };
}
