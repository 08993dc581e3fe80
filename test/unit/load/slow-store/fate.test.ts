import { awsCallOf } from '../../../../load/slow-store/aws-call.ts';
import { fates } from '../../../../load/slow-store/fate.ts';
import { settingsSchema } from '../../../../load/slow-store/settings.ts';

const PUT = { service: 'dynamodb', operation: 'PutItem' };
const SEND = { service: 'sqs', operation: 'SendMessage' };

test.each([
  [{ 'x-amz-target': 'DynamoDB_20120810.TransactWriteItems' }, 'dynamodb', 'TransactWriteItems'],
  [{ 'x-amz-target': 'AmazonSQS.SendMessageBatch' }, 'sqs', 'SendMessageBatch'],
  [
    { authorization: 'AWS4-HMAC-SHA256 Credential=AKIA/20261114/eu-west-1/sqs/aws4_request, Signed' },
    'sqs',
    'unknown',
  ],
  [
    {
      'x-amz-target': 'AWSEvents.PutEvents',
      authorization: 'AWS4-HMAC-SHA256 Credential=AKIA/20261114/eu-west-1/events/aws4_request, Signed',
    },
    'events',
    'PutEvents',
  ],
  [{ 'x-amz-target': 'DynamoDBStreams_20120810.GetRecords' }, 'unknown', 'GetRecords'],
  [{}, 'unknown', 'unknown'],
])('the request with %j is for %s, %s', (headers, service, operation) => {
  expect(awsCallOf(headers)).toEqual({ service, operation });
});

function failuresOf(settings: object[], calls: object[]): number[] {
  const fateOf = fates(settingsSchema.parse(settings));
  return calls.flatMap((call, index) => (fateOf(call as typeof PUT).failure === undefined ? [] : [index]));
}

test('a seed determines which calls fail, at the requested rate', () => {
  const calls = Array.from({ length: 10_000 }, () => PUT);
  const rule = { service: 'dynamodb', failure_rate: 0.02 };
  const failures = failuresOf([{ ...rule, seed: 7 }], calls);
  expect(failures).toEqual(failuresOf([{ ...rule, seed: 7 }], calls));
  expect(failures).not.toEqual(failuresOf([{ ...rule, seed: 8 }], calls));
  expect(failures.length).toBeGreaterThan(150);
  expect(failures.length).toBeLessThan(250);
});

test('calls to another service do not affect the draws of this one', () => {
  const rules = [
    { service: 'sqs', failure_rate: 0.5 },
    { service: 'dynamodb', failure_rate: 0.5 },
  ];
  const alone = failuresOf(
    rules,
    Array.from({ length: 20 }, () => PUT),
  );
  const mixed = failuresOf(
    rules,
    Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? PUT : SEND)),
  );
  expect(mixed.filter((index) => index % 2 === 0).map((index) => index / 2)).toEqual(alone);
});

test('delays lie within their range', () => {
  const fateOf = fates(settingsSchema.parse([{ service: 'dynamodb', delay_ms: [5, 15] }]));
  const delays = Array.from({ length: 1_000 }, () => fateOf(PUT).delayMs).sort((a, b) => a - b);
  expect(delays[0]).toBeGreaterThanOrEqual(5);
  expect(delays[0]).toBeLessThan(6);
  expect(delays.at(-1)).toBeGreaterThan(14);
  expect(delays.at(-1)).toBeLessThanOrEqual(15);
});

test('the first matching rule decides', () => {
  const fateOf = fates(
    settingsSchema.parse([
      { service: 'dynamodb', operations: ['PutItem'], delay_ms: 5 },
      { service: 'dynamodb', delay_ms: 50 },
    ]),
  );
  expect(fateOf(PUT)).toEqual({ delayMs: 5 });
  expect(fateOf({ ...PUT, operation: 'Query' })).toEqual({ delayMs: 50 });
  expect(fateOf(SEND)).toEqual({ delayMs: 0 });
});

test('kind `any` draws every kind of failure', () => {
  const fateOf = fates(settingsSchema.parse([{ service: 'dynamodb', failure_rate: 1, failure_kind: 'any' }]));
  const kinds = new Set(Array.from({ length: 50 }, () => fateOf(PUT).failure));
  expect([...kinds].sort()).toEqual(['answer_lost', 'internal', 'throttled']);
});
