import type { SQSRecord } from 'aws-lambda';

/** A record of `deliveries.fifo` as Lambda hands it over. */
export function sqsRecord(body: object, { id = 'rec_1', group = 'sub_1.pay_1' } = {}): SQSRecord {
  return {
    messageId: id,
    receiptHandle: 'receipt',
    body: JSON.stringify(body),
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '1777000000000',
      SenderId: 'match',
      ApproximateFirstReceiveTimestamp: '1777000000000',
      MessageGroupId: group,
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-west-1:000000000000:incoming.fifo',
    awsRegion: 'eu-west-1',
  };
}
