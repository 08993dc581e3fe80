import { callsSentence, storeSettings } from '../../../../load/lab/stage/slow-store.ts';
import { settingsSchema } from '../../../../load/slow-store/settings.ts';

test('a scenario delays tables and queues separately, and fails their calls in every way', () => {
  const wanted = storeSettings({ store_delay_ms: 15, queue_delay_ms: 5, queue_failure_rate: 0.02 });
  expect(settingsSchema.parse(wanted)).toEqual([
    { service: 'dynamodb', delay_ms: 15, failure_rate: 0, failure_kind: 'any', seed: 1 },
    { service: 'sqs', delay_ms: 5, failure_rate: 0.02, failure_kind: 'any', seed: 1 },
  ]);
});

test('a run reports how many calls reached the store and how many failed', () => {
  const counts = {
    dynamodb: { Query: { calls: 30, failed: 1 }, PutItem: { calls: 20, failed: 2 } },
    events: { PutEvents: { calls: 5, failed: 0 } },
  };
  expect(callsSentence(counts)).toBe(
    'The functions made 50 calls to DynamoDB, 3 of them failed; 0 calls to SQS, 0 of them failed.',
  );
});
