import { randomUUID } from 'node:crypto';
import type { Sent } from './queue-protocol.ts';

/** The event of an SQS mapping of Lambda, with the messages as records. */
export function batchOf(sent: readonly Sent[]) {
  const nowMs = String(Date.now());
  return {
    Records: sent.map(({ body, group, orderNumber }) => ({
      messageId: randomUUID(),
      receiptHandle: randomUUID(),
      body,
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: nowMs,
        ApproximateFirstReceiveTimestamp: nowMs,
        SequenceNumber: orderNumber,
        MessageGroupId: group,
      },
      messageAttributes: {},
      eventSource: 'aws:sqs',
    })),
  };
}

let last = 2n * 10n ** 18n;

/** An event on `events.fifo`, as the rules of EventBridge put it there. */
export function admitted(event: object): Sent {
  last += 1n;
  return {
    queue: 'events.fifo',
    body: JSON.stringify(event),
    group: 'shard-0',
    orderNumber: String(last),
    delaySeconds: 0,
  };
}
