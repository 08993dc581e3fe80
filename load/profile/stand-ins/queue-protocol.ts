import { createHash, randomUUID } from 'node:crypto';

/** A message put on a queue. */
export interface Sent {
  /** The last segment of the queue URL. */
  readonly queue: string;
  readonly body: string;
  readonly group?: string;
  readonly orderNumber: string;
  readonly delaySeconds: number;
}

interface Entry {
  readonly Id?: string;
  readonly MessageBody?: string;
  readonly MessageGroupId?: string;
  readonly DelaySeconds?: number;
}

/**
 * The part of SQS and EventBridge that the functions use: everything is accepted.
 *
 * @throws Error for any other operation
 */
export function answerOf(
  operation: string,
  request: { readonly QueueUrl?: string; readonly Entries?: readonly Entry[] },
  nextOrderNumber: () => string,
): { readonly json: object; readonly sent: readonly Sent[] } {
  const { QueueUrl = '', Entries = [] } = request;
  switch (operation) {
    case 'SendMessageBatch': {
      const taken = Entries.map((entry) => {
        const { MessageBody: body = '', MessageGroupId: group, DelaySeconds: delaySeconds = 0 } = entry;
        const orderNumber = nextOrderNumber();
        return {
          sent: {
            queue: QueueUrl.split('/').at(-1) ?? '',
            body,
            group,
            orderNumber,
            delaySeconds,
          },
          successful: {
            Id: entry.Id,
            MessageId: randomUUID(),
            MD5OfMessageBody: createHash('md5').update(body).digest('hex'),
            SequenceNumber: orderNumber,
          },
        };
      });
      return {
        json: { Successful: taken.map(({ successful }) => successful), Failed: [] },
        sent: taken.map(({ sent }) => sent),
      };
    }
    case 'DeleteMessageBatch':
      return { json: { Successful: Entries.map(({ Id }) => ({ Id })), Failed: [] }, sent: [] };
    case 'PutEvents':
      return {
        json: { FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: randomUUID() })) },
        sent: [],
      };
    default:
      throw new Error(`the AWS stand-in does not support ${operation}`);
  }
}
