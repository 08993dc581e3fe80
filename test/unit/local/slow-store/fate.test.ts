import { fates, serviceOf } from '../../../../local/slow-store/fate.ts';
import { type Service, settingsSchema } from '../../../../local/slow-store/settings.ts';

test.each([
  ['DynamoDB_20120810.TransactWriteItems', 'dynamodb'],
  ['AmazonSQS.SendMessageBatch', 'sqs'],
  ['AWSEvents.PutEvents', undefined],
  ['DynamoDBStreams_20120810.GetRecords', undefined],
  [undefined, undefined],
])('a request with the target %s is for %s', (target, service) => {
  expect(serviceOf({ 'x-amz-target': target })).toBe(service);
});

/** Which of the calls fail when both services fail at this rate. */
function failuresOf(failure_rate: number, calls: readonly Service[]): number[] {
  const fateOf = fates(settingsSchema.parse({ dynamodb: { failure_rate }, sqs: { failure_rate } }));
  return calls.flatMap((service, index) => (fateOf(service).failure === undefined ? [] : [index]));
}

test('calls fail at the requested rate, the same ones each time', () => {
  const calls = Array.from({ length: 10_000 }, () => 'dynamodb' as const);
  const failures = failuresOf(0.02, calls);
  expect(failures).toEqual(failuresOf(0.02, calls));
  expect(failures.length).toBeGreaterThan(150);
  expect(failures.length).toBeLessThan(250);
});

test('calls to another service do not affect the draws of this one', () => {
  const alone = Array.from({ length: 20 }, () => 'dynamodb' as const);
  const mixed = alone.flatMap((one) => [one, 'sqs' as const]);
  const inMixed = failuresOf(0.5, mixed).filter((index) => index % 2 === 0);
  expect(inMixed.map((index) => index / 2)).toEqual(failuresOf(0.5, alone));
});

test('calls fail in every way', () => {
  const fateOf = fates(settingsSchema.parse({ sqs: { failure_rate: 1 } }));
  const kinds = new Set(Array.from({ length: 50 }, () => fateOf('sqs').failure));
  expect([...kinds].sort()).toEqual(['answer_lost', 'internal', 'throttled']);
});
