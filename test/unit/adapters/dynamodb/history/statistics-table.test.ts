import type { DynamoDBClient, QueryCommand, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { statisticsTable } from '../../../../../functions/adapters/dynamodb/history/statistics-table.ts';
import { statisticsWriter } from '../../../../../functions/adapters/dynamodb/history/statistics-writer.ts';
import { recordingClient } from '../../../../support/recorded-parameters.ts';

const figures = {
  delivered: 1,
  acknowledged_within_60_s: 1,
  failed_attempts: 2,
  exhausted: 3,
  cancelled: 4,
};
const none = { times: {}, acknowledged: {}, failures: {} };
const since = '2026-11-14T10:00:00.000Z';

/** Tables with this many waiting messages, and these hours. */
function tables(waiting: number, hours: readonly object[] = []) {
  const client = {
    async send({ input }: QueryCommand) {
      if (input.IndexName === undefined) {
        return { Items: hours.map((hour) => marshall(hour)) };
      }
      const Items = [marshall({ waiting_for: 'sub_1', admitted_at: since })].slice(0, waiting);
      return input.Select === 'COUNT' ? { Count: Math.min(waiting, input.Limit!) } : { Items };
    },
  };
  return statisticsTable(client as unknown as DynamoDBClient, {
    statistics: 'statistics',
    history: 'history',
  });
}

test('the hours of a subscription are read as counted', async () => {
  const item = { subscription_id: 'sub_1', since, ...figures, remove_at_epoch_seconds: 1 };
  expect(await tables(0, [item]).hours('sub_1', since)).toEqual([{ since, ...figures, ...none }]);
});

test('an hour of earlier code has acknowledged nothing', async () => {
  const { acknowledged_within_60_s: _, ...earlier } = figures;
  const item = { subscription_id: 'sub_1', since, ...earlier };
  expect(await tables(0, [item]).hours('sub_1', since)).toMatchObject([{ acknowledged_within_60_s: 0 }]);
});

test('times are read by bucket and failures by reason, whatever else is in an item', async () => {
  const counts = { t0: 1, t27: 5, a40: 6, a64: 2, f_503: 3, f_http_status: 1, f_timeout: 4 };
  const others = { total: 3, attempts: 4, to_Xab9_2: '211', fail: 1, tt1: 2 };
  const item = { subscription_id: 'sub_1', since, ...figures, ...counts, ...others };
  expect(await tables(0, [item]).hours('sub_1', since)).toEqual([
    {
      since,
      ...figures,
      times: { 0: 1, 27: 5 },
      acknowledged: { 40: 6, 64: 2 },
      failures: { 503: 3, http_status: 1, timeout: 4 },
    },
  ]);
});

test.each([
  [0, { count: 0, is_more: false }],
  [1, { count: 2, is_more: false, oldest_admitted_at: since }],
  [500, { count: 1_000, is_more: false, oldest_admitted_at: since }],
  [501, { count: 1_000, is_more: true, oldest_admitted_at: since }],
  [1_000_000, { count: 1_000, is_more: true, oldest_admitted_at: since }],
])('of %d waiting messages in each of two states at most a thousand are counted', async (waiting, told) => {
  expect(await tables(waiting).waiting('sub_1')).toEqual(told);
});

const SHARD = 'arn:aws:dynamodb:eu-west-1:1:table/history/stream/1/shard-1';
const change = {
  subscription_id: 'sub_1',
  since,
  ...figures,
  times: { 3: 2, 27: 1 },
  acknowledged: { 64: 1 },
  failures: { 503: 2 },
  from: '211',
  to: '219',
};

test('an hour expires after forty days', async () => {
  const { client, inputs } = recordingClient<DynamoDBClient, UpdateItemCommandInput>(() => ({}));
  await statisticsWriter(client, 'statistics')(change, SHARD);
  expect(unmarshall(inputs[0]?.ExpressionAttributeValues ?? {})).toMatchObject({
    ':remove': Date.UTC(2026, 11, 24, 10) / 1_000,
  });
});

test('what is added has short names', async () => {
  const { client, inputs } = recordingClient<DynamoDBClient, UpdateItemCommandInput>(() => ({}));
  await statisticsWriter(client, 'statistics')(change, SHARD);
  expect(inputs[0]?.ExpressionAttributeNames).toMatchObject({
    '#t27': 't27',
    '#a64': 'a64',
    '#f_503': 'f_503',
  });
  expect(unmarshall(inputs[0]?.ExpressionAttributeValues ?? {})).toMatchObject({
    ':t3': 2,
    ':a64': 1,
    ':f_503': 2,
    ':acknowledged_within_60_s': 1,
  });
});

test('an addition that fails is reported', async () => {
  const client = { send: () => Promise.reject(new Error('broken')) } as unknown as DynamoDBClient;
  await expect(statisticsWriter(client, 'statistics')(change, SHARD)).rejects.toThrow('broken');
});
