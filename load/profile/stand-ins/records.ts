import { randomUUID } from 'node:crypto';
import type { Sent } from './queue-protocol.ts';

/** An event of Lambda's mapping for SQS, with what was sent as its records. */
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
        ...(group === undefined ? {} : { MessageGroupId: group }),
      },
      messageAttributes: {},
      eventSource: 'aws:sqs',
    })),
  };
}

let last = 2n * 10n ** 18n;

/** As EventBridge's rules put an event on `events.fifo`. */
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
