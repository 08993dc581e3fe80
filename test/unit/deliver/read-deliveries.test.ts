import type { SQSRecord } from 'aws-lambda';
import { readDeliveries } from '../../../functions/deliver/read-deliveries.ts';

test('A record that is no message is told apart, as it came, with what is wrong with each member', () => {
  const { incoming, unreadable } = readDeliveries([record({ v: 2, live: 'yes' })]);

  expect(incoming).toEqual([]);
  expect(unreadable).toMatchObject([
    { recordId: 'rec_1', group: 'sub_1.pay_1', body: '{"v":2,"live":"yes"}', reason: 'unreadable' },
  ]);
  const faults = unreadable[0]?.explanation.split('; ');
  expect(faults).toContain('v: must be 1');
  expect(faults).toContain('live: must be true or false, not a string');
  expect(faults).toContain('payment_id: is missing');
});

test('A hint is read as what it wishes of which key', () => {
  const hint = { v: 1, service_id: 'bakery', subscription_id: 'sub_1', payment_id: 'pay_1', wish: 'due' };

  const { incoming, unreadable } = readDeliveries([record(hint)]);

  expect(incoming).toEqual([{ recordId: 'rec_1', receipt: 'receipt', receiveCount: 1, hint }]);
  expect(unreadable).toEqual([]);
});

test('A hint with a wish that this version does not know is told apart as a hint, not as a message', () => {
  const hint = { v: 1, service_id: 'bakery', subscription_id: 'sub_1', payment_id: 'pay_1', wish: 'fly' };

  const { unreadable } = readDeliveries([record(hint)]);

  expect(unreadable[0]?.explanation).toBe('wish: must be one of due, drain, probe, release, skip, resend');
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
    eventSourceARN: 'arn:aws:sqs:eu-west-1:000000000000:incoming.fifo',
    awsRegion: 'eu-west-1',
  };
}
