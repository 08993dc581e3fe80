import { backlogReader } from '../../../../../functions/adapters/dynamodb/ordering-keys/backlog.ts';
import { IN_BACKLOG } from '../blocked-ordering-keys.ts';
import { paged } from '../pages.ts';

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
