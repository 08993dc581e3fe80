import type { SQSClient } from '@aws-sdk/client-sqs';
import type { SendMessage } from '../../core/message/ports.ts';
import { deliveryQueue } from './delivery-queue.ts';

/**
 * Sends one message to `deliveries.fifo`; false when it was not accepted. Never rejects: passes errors to
 * `onInternalError`.
 */
export function messageSender(
  client: SQSClient,
  queueUrl: string,
  onInternalError: (error: Error) => void,
): SendMessage {
  const send = deliveryQueue(client, queueUrl);
  return async (message) => {
    try {
      return (await send([message])).length === 0;
    } catch (error) {
      onInternalError(error as Error);
      return false;
    }
  };
}
