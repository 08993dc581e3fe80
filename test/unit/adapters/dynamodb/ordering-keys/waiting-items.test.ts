import { waitingItems } from '../../../../../functions/adapters/dynamodb/ordering-keys/waiting-items.ts';
import { CLOSED } from '../../../../../functions/core/circuit/circuit.ts';
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
