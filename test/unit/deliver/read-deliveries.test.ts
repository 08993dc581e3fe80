import type { SQSRecord } from 'aws-lambda';
import { readDeliveries } from '../../../functions/deliver/read-deliveries.ts';

test('A record that is no message is told apart, as it came, with what is wrong with each member', () => {
  const { deliveries, unreadable } = readDeliveries([record({ v: 2, live: 'yes' })]);

  expect(deliveries).toEqual([]);
  expect(unreadable).toMatchObject([
    { recordId: 'rec_1', group: 'sub_1.pay_1', body: '{"v":2,"live":"yes"}', reason: 'unreadable' },
  ]);
  const faults = unreadable[0]?.explanation.split('; ');
  expect(faults).toContain('v: Invalid input: expected 1');
  expect(faults).toContain('live: Invalid input: expected boolean, received string');
  expect(faults).toContain('payment_id: Invalid input: expected string, received undefined');
});

function record(body: object): SQSRecord {
  return {
    messageId: 'rec_1',
    receiptHandle: 'receipt',
    body: JSON.stringify(body),
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '1777000000000',
      SenderId: 'match',
      ApproximateFirstReceiveTimestamp: '1777000000000',
      MessageGroupId: 'sub_1.pay_1',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-west-1:000000000000:deliveries.fifo',
    awsRegion: 'eu-west-1',
  };
}
