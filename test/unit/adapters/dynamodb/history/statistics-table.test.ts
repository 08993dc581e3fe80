import { Readable } from 'node:stream';
import { DynamoDBClient, type QueryCommand, type UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { statisticsTable } from '../../../../../functions/adapters/dynamodb/history/statistics-table.ts';
import { statisticsWriter } from '../../../../../functions/adapters/dynamodb/history/statistics-writer.ts';
import { timesAttribute } from '../../../../../functions/adapters/dynamodb/table-keys.ts';
import { LAST_BUCKET } from '../../../../../functions/core/statistics/time-histogram.ts';

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
  // Of the other attributes, with names: ids, instants, counts.
  expect(bytes + 200).toBeLessThan(1_024);
});

test.each([
  [0, { count: 0, is_more: false }],
  [1, { count: 1, is_more: false, oldest_admitted_at: since }],
  [1_000, { count: 1_000, is_more: false, oldest_admitted_at: since }],
  [1_001, { count: 1_000, is_more: true, oldest_admitted_at: since }],
  [1_000_000, { count: 1_000, is_more: true, oldest_admitted_at: since }],
])('of %d waiting messages at most a thousand are counted', async (waiting, told) => {
  expect(await tables(waiting).waiting('sub_1')).toEqual(told);
});

test('counts are added to the hour, which expires after forty days', async () => {
  const updates: UpdateItemCommand['input'][] = [];
  const client = {
    async send({ input }: UpdateItemCommand) {
      updates.push(input);
    },
  };
  await statisticsWriter(
    client as unknown as DynamoDBClient,
    'statistics',
  )({
    subscription_id: 'sub_1',
    since,
    ...figures,
    times: { 3: 2, 27: 1 },
  });
  expect(updates).toHaveLength(1);
  const { Key = {}, ExpressionAttributeValues = {}, ...update } = updates[0]!;
  expect(unmarshall(Key)).toEqual({ subscription_id: 'sub_1', since });
  expect(update).toMatchObject({
    TableName: 'statistics',
    UpdateExpression:
      'ADD #delivered :delivered, #failed_attempts :failed_attempts, #exhausted :exhausted, #cancelled :cancelled, #t3 :t3, #t27 :t27 SET #remove = :remove, #last = :name',
    ConditionExpression: 'attribute_not_exists(#last) OR #last <> :name',
  });
  expect(unmarshall(ExpressionAttributeValues)).toEqual({
    ':delivered': 1,
    ':failed_attempts': 2,
    ':exhausted': 3,
    ':cancelled': 4,
    ':t3': 2,
    ':t27': 1,
    ':remove': Date.UTC(2026, 11, 24, 10) / 1_000,
    ':name': expect.any(String),
  });
});

/** A table that keeps additions by name as DynamoDB does, and loses the answers to the first `lost` calls. */
function losing(lost: number) {
  let last: unknown;
  let calls = 0;
  const added: number[] = [];
  const answer = (statusCode: number, body: object) => ({
    response: { statusCode, headers: {}, body: Readable.from([JSON.stringify(body)]) },
  });
  const client = new DynamoDBClient({
    region: 'eu-west-1',
    endpoint: 'http://localhost',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 3,
    requestHandler: {
      handle: async ({ body }: { body: Uint8Array }) => {
        calls += 1;
        const { ExpressionAttributeValues } = JSON.parse(Buffer.from(body).toString());
        const name = ExpressionAttributeValues[':name'].S;
        const isRepeated = name === last;
        last = name;
        if (!isRepeated) added.push(Number(ExpressionAttributeValues[':delivered'].N));
        if (calls <= lost) return answer(500, { __type: 'InternalServerError' });
        return isRepeated ? answer(400, { __type: 'ConditionalCheckFailedException' }) : answer(200, {});
      },
    } as never,
  });
  return { add: statisticsWriter(client, 'statistics'), added, calls: () => calls };
}
const change = { subscription_id: 'sub_1', since, ...figures, times: {} };

test('an addition that is tried again because its answer was lost counts once', async () => {
  const { add, added, calls } = losing(2);
  await add(change);
  expect(calls()).toBe(3);
  expect(added).toEqual([1]);
});

test('two equal additions count twice', async () => {
  const { add, added } = losing(0);
  await add(change);
  await add(change);
  expect(added).toEqual([1, 1]);
});

test('an addition that fails for good is reported', async () => {
  await expect(losing(3).add(change)).rejects.toMatchObject({ name: 'InternalServerError' });
});
