import type { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { backlogReader } from '../../../../../functions/adapters/dynamodb/ordering-keys/backlog.ts';
import { waitingCounter } from '../../../../../functions/adapters/dynamodb/ordering-keys/waiting-counter.ts';
import { waitingItems } from '../../../../../functions/adapters/dynamodb/ordering-keys/waiting-items.ts';
import { CLOSED } from '../../../../../functions/core/circuit/circuit.ts';
import { recordingClient } from '../../../../support/recorded-parameters.ts';
import { FAULT, IN_BACKLOG, WAITING } from '../blocked-ordering-keys.ts';
import { paged } from '../pages.ts';

const circuit = { ...CLOSED, revision: 4, generation: 9 };
const TABLES = { orderingKeys: 'keys', subscriptions: 'subscriptions' };

/** The items in each partition of the indexes of a table. */
function indexes(partitions: Record<string, readonly Record<string, unknown>[]>) {
  const { client, queries } = paged((table, { ':value': value }) => partitions[`${table} ${value}`] ?? []);
  return { ...waitingItems(client, TABLES), queries };
}

test('ordering keys that wait to be due are found in all shards, page by page', async () => {
  const later = { ...WAITING, due_at: '2026-11-14T11:00:00.000Z' };
  const { dueAts, queries } = indexes({ 'keys 0': [WAITING, WAITING, later], 'keys 7': [WAITING] });
  expect(await dueAts(100)).toEqual([WAITING.due_at, WAITING.due_at, later.due_at, WAITING.due_at]);
  expect(new Set(queries.map(({ index, values }) => `${index} ${values[':value']}`)).size).toBe(8);
});

test('each shard is read up to its share', async () => {
  const { dueAts } = indexes({
    'keys 0': [WAITING, WAITING, WAITING, WAITING, WAITING],
    'keys 1': [WAITING],
  });
  expect(await dueAts(8 * 3)).toHaveLength(4);
});

test('stuck ordering keys are counted', async () => {
  const { stuckKeys, queries } = indexes({ 'keys yes': [FAULT, FAULT, FAULT] });
  expect(await stuckKeys(100)).toBe(3);
  expect(queries[0]).toMatchObject({ table: 'keys', index: 'stuck' });
});

test('circuits with a timer are found; recoveries and unreadable items are skipped', async () => {
  const { timedCircuits } = indexes({
    'subscriptions 3': [
      { subscription_id: 'sub_1', circuit },
      { subscription_id: 'sub_1', recovery_id: 'rec_1', step: 4 },
      { subscription_id: 'sub_2', circuit: { state: 'ajar' } },
    ],
  });
  expect(await timedCircuits(100)).toEqual([{ subscription_id: 'sub_1', circuit }]);
});

test('only the first ordering key of a backlog is read', async () => {
  const { firstInBacklog, queries } = indexes({ 'keys sub_1': [IN_BACKLOG, IN_BACKLOG, IN_BACKLOG] });
  expect(await firstInBacklog('sub_1')).toEqual({
    backlogged_at: IN_BACKLOG.backlogged_at,
    check_at: IN_BACKLOG.check_at,
  });
  expect(await firstInBacklog('sub_2')).toBeUndefined();
  expect(queries).toHaveLength(2);
});

const backlogged = (payment_id: string) => ({
  ...IN_BACKLOG,
  payment_id,
  ordering_key: `sub_1.${payment_id}`,
});
const item = (payment_id: string) => ({
  ...backlogged(payment_id),
  item: 'ordering_key',
  backlog_of: 'sub_1',
});

function backlogOf(items: readonly Record<string, unknown>[]) {
  const { client, ...seen } = paged(() => items, { checkAt: IN_BACKLOG.check_at });
  const errors: string[] = [];
  return { ...backlogReader(client, 'keys', ({ message }) => errors.push(message)), ...seen, errors };
}

test('no more of a backlog is read than needed', async () => {
  const { backlog, queries } = backlogOf(['a', 'b', 'c', 'd', 'e'].map(item));
  expect((await backlog('sub_1', 3)).map(({ payment_id }) => payment_id)).toEqual(['a', 'b', 'c']);
  expect(queries).toHaveLength(2);
});

test('an unreadable ordering key does not stop the backlog', async () => {
  const { backlog, errors } = backlogOf([{ ...item('a'), backlogged_at: 7 }, item('b')]);
  expect(await backlog('sub_1', 100)).toEqual([backlogged('b')]);
  expect(errors).toEqual(['ordering_key sub_1.a: cannot be read; see backlogged_at']);
});

/** An index with this many messages in each of two states, 400 to a page. */
function indexOf(waiting: number) {
  const { client, inputs } = recordingClient<DynamoDBClient, QueryCommand['input']>((input) => {
    const from = Number(input.ExclusiveStartKey?.from?.N ?? 0);
    const next = Math.min(waiting, from + Math.min(400, input.Limit ?? 0));
    return {
      Count: next - from,
      ...(next < waiting ? { LastEvaluatedKey: { from: { N: `${next}` } } } : {}),
    };
  });
  return { count: waitingCounter(client, 'history'), queries: inputs };
}

test.each([
  ['none', 0, 0, 1],
  ['a few', 3, 6, 1],
  ['several pages', 499, 998, 2],
  ['as many as the limit', 500, 1_000, 2],
  ['more', 1_000_000, 1_000, 3],
])('%s are counted in both states, up to the limit', async (_, inEach, expected, pagesOfEach) => {
  const { count, queries } = indexOf(inEach);
  expect(await count('sub_1', 1_000)).toBe(expected);
  const states = queries.map(
    ({ ExpressionAttributeValues = {} }) => ExpressionAttributeValues[':undelivered']?.S,
  );
  expect(states.filter((state) => state === 'sub_1#retrying')).toHaveLength(pagesOfEach);
  expect(states.filter((state) => state === 'sub_1#parked')).toHaveLength(pagesOfEach);
});
