import type { SQSClient } from '@aws-sdk/client-sqs';
import { type Message, orderingKey } from '../../core/message/message.ts';
import { sendBatch } from './queue-batch.ts';

/**
 * Sends messages to `deliveries.fifo`, each in the group of its key. The message id is the deduplication id, so SQS drops a repeat for
 * five minutes.
 *
 * @returns the messages that were not taken
 */
export function deliveryQueue(client: SQSClient, queueUrl: string) {
  return async (messages: readonly Message[]): Promise<readonly Message[]> => {
    const failed = await sendBatch(
      client,
      queueUrl,
      messages.map((message) => ({
        body: JSON.stringify(message),
        group: orderingKey(message),
        deduplicationId: message.message_id,
      })),
    );
    return failed.map((index) => messages[index] as Message);
  };
}
