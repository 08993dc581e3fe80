import type { DynamoDBClient, QueryCommand, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { statisticsTable } from '../../../../../functions/adapters/dynamodb/history/statistics-table.ts';
import { statisticsWriter } from '../../../../../functions/adapters/dynamodb/history/statistics-writer.ts';
import { streamPosition } from '../../../../../functions/adapters/dynamodb/stream-position.ts';
import { countedToAttribute, timesAttribute } from '../../../../../functions/adapters/dynamodb/table-keys.ts';
import { LAST_BUCKET } from '../../../../../functions/core/statistics/time-histogram.ts';
import { recordingClient } from '../../../../support/recorded-parameters.ts';

const figures = { delivered: 1, failed_attempts: 2, exhausted: 3, cancelled: 4 };
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
  expect(await tables(0, [item]).hours('sub_1', since)).toEqual([{ since, ...figures, times: {} }]);
});

test('times to send are read by bucket, whatever else is in an item', async () => {
  const item = { subscription_id: 'sub_1', since, ...figures, t0: 1, t27: 5, t88: 2, t89: 9, total: 3 };
  expect(await tables(0, [item]).hours('sub_1', since)).toMatchObject([{ times: { 0: 1, 27: 5, 88: 2 } }]);
});

test('an hour with times in every bucket still costs one write unit', () => {
  const bytes = [...Array(LAST_BUCKET + 1).keys()]
    .map((bucket) => timesAttribute(String(bucket)).length + 1 + Math.ceil('1000000'.length / 2))
    .reduce((sum, size) => sum + size, 0);
  // With names: ids, instants, counts; and how far each of four shards is counted.
  const others = 165;
  const shards = 4 * (countedToAttribute('abcdef').length + streamPosition('9'.repeat(25)).length);
  expect(bytes + others + shards).toBeLessThanOrEqual(1_024);
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

test('an addition that fails is reported', async () => {
  const client = { send: () => Promise.reject(new Error('broken')) } as unknown as DynamoDBClient;
  await expect(statisticsWriter(client, 'statistics')(change, SHARD)).rejects.toThrow('broken');
});
