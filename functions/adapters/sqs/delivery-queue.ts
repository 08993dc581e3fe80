import type { SQSClient } from '@aws-sdk/client-sqs';
import { type Message, orderingKey } from '../../core/message/message.ts';
import { sendBatch } from './queue-batch.ts';

/**
 * Sends messages to `deliveries.fifo`, each in the message group of its ordering key. The deduplication id is
 * the message id, so SQS drops duplicates for five minutes.
 *
 * @returns the messages that were not accepted
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
