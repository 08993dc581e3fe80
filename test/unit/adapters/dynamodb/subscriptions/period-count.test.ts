import type { DynamoDBClient, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { answerCounter } from '../../../../../functions/adapters/dynamodb/subscriptions/answer-table.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { recordingClient } from '../../../../support/recorded-parameters.ts';
import { answers } from '../../../core/circuit/given/circuit-inputs.ts';
import { secondsTable } from '../pages.ts';

test('adding a count returns the total of this second so far', async () => {
  const { rollCall } = secondsTable();
  expect([
    await rollCall.say('#slow', 3),
    await rollCall.say('#slow', 1),
    await rollCall.say('#slow', 7),
  ]).toEqual([3, 4, 11]);
});

test('what is said while the same item is being written is written together next; another item does not wait', async () => {
  const { rollCall, inputs } = secondsTable();
  const first = rollCall.say('#slow', 3);
  await Promise.resolve();
  await Promise.resolve();
  const others = [rollCall.say('#slow', 1), rollCall.say('#slow', 7), rollCall.say('#drains', 1)];
  expect([await first, ...(await Promise.all(others))]).toEqual([3, 11, 11, 1]);
  expect(inputs).toHaveLength(3);
});

test('reading returns the total of the last second, however early in this one', async () => {
  const { rollCall, pass } = secondsTable();
  await rollCall.say('#slow', 5);
  pass(1_000);
  expect(await rollCall.heard('#slow')).toBe(5);
  await rollCall.say('#slow', 2);
  expect(await rollCall.heard('#slow')).toBe(5);
});

test('or of this one, as soon as that is higher', async () => {
  const { rollCall, pass } = secondsTable();
  await rollCall.say('#slow', 5);
  pass(1_000);
  await rollCall.say('#slow', 6);
  expect(await rollCall.heard('#slow')).toBe(6);
});

test('earlier counts are forgotten', async () => {
  const { rollCall, pass } = secondsTable();
  await rollCall.say('#slow', 5);
  pass(2_000);
  expect(await rollCall.heard('#slow')).toBe(0);
});

test('names are counted separately', async () => {
  const { rollCall } = secondsTable();
  await rollCall.say('#slow', 5);
  expect(await rollCall.say('#drains', 1)).toBe(1);
  expect(await rollCall.heard('#slow#sub_1')).toBe(0);
});

test('items expire after a minute', async () => {
  const { rollCall, inputs } = secondsTable();
  await rollCall.say('#slow', 5);
  expect(inputs).toMatchObject([
    {
      TableName: 'subscriptions',
      Key: { service_id: { S: '#slow' }, item: { S: '1794650400' } },
      ExpressionAttributeValues: { ':remove': { N: '1794650460' } },
    },
  ]);
});

test('counts are added without a condition, under a key that no service can have, and expire after a week', async () => {
  const { client, inputs } = recordingClient<DynamoDBClient, UpdateItemCommandInput>(() => ({}));
  const fail = (error: unknown) => {
    throw error;
  };
  await answerCounter(
    client,
    { table: 'subscriptions', now: () => TEN_O_CLOCK_MS },
    fail,
  )('sub_1', answers({ succeeded: 1 }));
  expect(inputs).toMatchObject([
    {
      TableName: 'subscriptions',
      Key: { service_id: { S: '#answers#sub_1' }, item: { S: 'answers' } },
      ExpressionAttributeValues: { ':remove': { N: '1795255200' } },
    },
  ]);
  expect(inputs[0]).not.toHaveProperty('ConditionExpression');
});
