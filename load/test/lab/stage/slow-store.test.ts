import { callsSentence, storeSettings } from '../../../lab/stage/slow-store.ts';

test('a scenario delays tables and queues separately', () => {
  expect(storeSettings({ store_delay_ms: 15, queue_delay_ms: 5, queue_failure_rate: 0.02 })).toEqual({
    dynamodb: { delay_ms: 15, failure_rate: 0 },
    sqs: { delay_ms: 5, failure_rate: 0.02 },
  });
});

test('a run reports how many calls reached the store and how many failed', () => {
  expect(callsSentence({ dynamodb: { calls: 50, failed: 3 }, sqs: { calls: 0, failed: 0 } })).toBe(
    'The functions made 50 calls to DynamoDB, 3 of them failed; 0 calls to SQS, 0 of them failed.',
  );
});
