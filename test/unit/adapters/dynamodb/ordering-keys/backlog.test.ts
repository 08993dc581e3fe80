import { backlogReader } from '../../../../../functions/adapters/dynamodb/ordering-keys/backlog.ts';
import { IN_BACKLOG } from '../blocked-ordering-keys.ts';
import { paged } from '../pages.ts';

const LATER = '2026-11-14T10:05:00.000Z';
const inLine = (payment_id: string) => ({ ...IN_BACKLOG, payment_id, ordering_key: `sub_1.${payment_id}` });
const item = (payment_id: string) => ({ ...inLine(payment_id), item: 'key', line: 'sub_1' });

function backlogOf(items: readonly Record<string, unknown>[]) {
  const { client, ...seen } = paged(() => items, { checkAt: IN_BACKLOG.check_at });
  const errors: string[] = [];
  return { ...backlogReader(client, 'keys', ({ message }) => errors.push(message)), ...seen, errors };
}

test('a backlog is read page by page, longest waiting first', async () => {
  const { backlog, queries } = backlogOf(['a', 'b', 'c'].map(item));
  expect(await backlog('sub_1', 100)).toEqual([inLine('a'), inLine('b'), inLine('c')]);
  expect(queries).toEqual(
    Array(2).fill({ table: 'keys', index: 'line', values: { ':line': 'sub_1', ':from': '0' } }),
  );
});

test('for the next probe a backlog is read from the position of the last one', async () => {
  const { backlog, queries } = backlogOf([item('b')]);
  expect(await backlog('sub_1', 25, LATER)).toEqual([inLine('b')]);
  expect(queries).toEqual([{ table: 'keys', index: 'line', values: { ':line': 'sub_1', ':from': LATER } }]);
});

test('no more of a backlog is read than needed', async () => {
  const { backlog, queries } = backlogOf(['a', 'b', 'c', 'd', 'e'].map(item));
  expect((await backlog('sub_1', 3)).map(({ payment_id }) => payment_id)).toEqual(['a', 'b', 'c']);
  expect(queries).toHaveLength(2);
});

test('an unreadable ordering key does not stop the backlog', async () => {
  const { backlog, errors } = backlogOf([{ ...item('a'), parked_at: 7 }, item('b')]);
  expect(await backlog('sub_1', 100)).toEqual([inLine('b')]);
  expect(errors).toEqual(['ordering_key sub_1.a: cannot be read; see parked_at']);
});

test('of two workers that check the same ordering key, one may move the check', async () => {
  const { moveCheck, moved } = backlogOf([]);
  expect(await moveCheck(IN_BACKLOG, LATER)).toBe(true);
  expect(await moveCheck(IN_BACKLOG, '2026-11-14T10:05:00.001Z')).toBe(false);
  expect(moved).toEqual([
    { table: 'keys', key: { ordering_key: 'sub_1.pay-1', item: 'key' }, check: 'check_at' },
  ]);
});

test('a move whose response was lost succeeds when the SDK repeats it', async () => {
  const { moveCheck } = backlogOf([]);
  expect(await moveCheck(IN_BACKLOG, LATER)).toBe(true);
  expect(await moveCheck(IN_BACKLOG, LATER)).toBe(true);
});
