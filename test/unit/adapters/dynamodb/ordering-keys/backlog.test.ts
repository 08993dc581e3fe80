import { type DynamoDBClient, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { backlogReader } from '../../../../../functions/adapters/dynamodb/ordering-keys/backlog.ts';
import { IN_BACKLOG } from '../blocked-ordering-keys.ts';
import { paged } from '../pages.ts';

const LATER = '2026-11-14T10:05:00.000Z';
const inLine = (payment_id: string) => ({ ...IN_BACKLOG, payment_id, ordering_key: `sub_1.${payment_id}` });
const item = (payment_id: string) => ({ ...inLine(payment_id), item: 'key', line: 'sub_1' });

function lineOf(items: readonly Record<string, unknown>[]) {
  const { client, ...seen } = paged(() => items, { checkAt: IN_BACKLOG.check_at });
  const faults: string[] = [];
  return { ...backlogReader(client, 'keys', ({ message }) => faults.push(message)), ...seen, faults };
}

test('a line is read page by page, the key that waits longest first', async () => {
  const { backlog: line, queries } = lineOf(['a', 'b', 'c'].map(item));
  expect(await line('sub_1', 100)).toEqual([inLine('a'), inLine('b'), inLine('c')]);
  expect(queries).toEqual(
    Array(2).fill({ table: 'keys', index: 'line', values: { ':line': 'sub_1', ':from': '0' } }),
  );
});

test('for the next probe a line is read from where the last one joined it', async () => {
  const { backlog: line, queries } = lineOf([item('b')]);
  expect(await line('sub_1', 25, LATER)).toEqual([inLine('b')]);
  expect(queries).toEqual([{ table: 'keys', index: 'line', values: { ':line': 'sub_1', ':from': LATER } }]);
});

test('no more of a line is read than is wanted', async () => {
  const { backlog: line, queries } = lineOf(['a', 'b', 'c', 'd', 'e'].map(item));
  expect((await line('sub_1', 3)).map(({ payment_id }) => payment_id)).toEqual(['a', 'b', 'c']);
  expect(queries).toHaveLength(2);
});

test('a key that cannot be read does not stop the line', async () => {
  const { backlog: line, faults } = lineOf([{ ...item('a'), parked_at: 7 }, item('b')]);
  expect(await line('sub_1', 100)).toEqual([inLine('b')]);
  expect(faults).toEqual(['ordering_key sub_1.a: cannot be read; see parked_at']);
});

test('of two who look at the same key one may move it on', async () => {
  const { moveCheck, moved } = lineOf([]);
  expect(await moveCheck(IN_BACKLOG, LATER)).toBe(true);
  expect(await moveCheck(IN_BACKLOG, '2026-11-14T10:05:00.001Z')).toBe(false);
  expect(moved).toEqual([
    { table: 'keys', key: { ordering_key: 'sub_1.pay-1', item: 'key' }, check: 'check_at' },
  ]);
});

test('a key whose answer was lost is moved on by whoever moved it, when the SDK asks once more', async () => {
  const { moveCheck } = lineOf([]);
  expect(await moveCheck(IN_BACKLOG, LATER)).toBe(true);
  expect(await moveCheck(IN_BACKLOG, LATER)).toBe(true);
});

test('a key that is just being changed belongs to whoever changes it', async () => {
  const conflict = new TransactionConflictException({ message: 'Transaction is ongoing', $metadata: {} });
  const client = { send: () => Promise.reject(conflict) } as unknown as DynamoDBClient;
  expect(await backlogReader(client, 'keys', () => {}).moveCheck(IN_BACKLOG, LATER)).toBe(false);
});

test('a check that could not be moved for another reason is told', async () => {
  const internalError = new Error('no such table');
  const client = { send: () => Promise.reject(internalError) } as unknown as DynamoDBClient;
  await expect(backlogReader(client, 'keys', () => {}).moveCheck(IN_BACKLOG, LATER)).rejects.toBe(
    internalError,
  );
});
