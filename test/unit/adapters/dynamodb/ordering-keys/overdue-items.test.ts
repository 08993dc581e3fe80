import { NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb';
import { overdueItems } from '../../../../../functions/adapters/dynamodb/ordering-keys/overdue-items.ts';
import { CLOSED } from '../../../../../functions/core/circuit/circuit.ts';
import type { Overdue } from '../../../../../functions/core/ordering/overdue.ts';
import { IN_BACKLOG, WAITING } from '../blocked-ordering-keys.ts';
import { paged } from '../pages.ts';

const NOW = '2026-11-14T10:10:00.000Z';
const CHECK_AT = WAITING.check_at;
const key = { ...WAITING, item: 'key', due_shard: '6' };
const circuit = {
  service_id: 'bakery',
  item: 'sub_1',
  subscription_id: 'sub_1',
  circuit: { ...CLOSED, revision: 4, tick: 9 },
  due_shard: '3',
  check_at: CHECK_AT,
};
const recovery = {
  service_id: 'bakery',
  item: 'recovery#sub_1',
  subscription_id: 'sub_1',
  recovery_id: 'rec_1',
  step: 4,
  due_shard: '3',
  check_at: CHECK_AT,
};
const lost = { service_id: 'bakery', subscription_id: 'sub_1', recovery_id: 'rec_1', step: 4 };
const { service_id, subscription_id, payment_id, ordering_key } = IN_BACKLOG;
const aged = { service_id, subscription_id, payment_id, ordering_key };
const gapped = { service_id: 'bakery', payment_id: 'pay-1', group: 'shard-01', due_at: CHECK_AT };
const { item: _, due_shard: __, check_at: ___, ...named } = circuit;

/** The items in each shard of the due indexes. */
function indexes(shards: Record<string, readonly Record<string, unknown>[]>, first = 0) {
  const { client, ...seen } = paged(
    (table, { ':shard': shard }, index) =>
      shards[`${table}${index === 'aging' ? ' aging' : ''} ${shard}`] ?? [],
    {
      checkAt: CHECK_AT,
    },
  );
  const errors: string[] = [];
  const tables = { keys: 'keys', subscriptions: 'subscriptions', sequences: 'sequences' };
  const onInternalError = ({ message }: Error) => errors.push(message);
  return { ...overdueItems(client, tables, onInternalError, () => first), ...seen, errors };
}

async function pagesOf(overdue: AsyncIterable<readonly Overdue[]>): Promise<(readonly Overdue[])[]> {
  const pages: (readonly Overdue[])[] = [];
  for await (const page of overdue) {
    pages.push(page);
  }
  return pages.filter(({ length }) => length > 0);
}

test('circuits and ordering keys are found in all shards, page by page', async () => {
  const { overdue, queries } = indexes({
    'subscriptions 3': [circuit],
    'keys 0': [key, key, key],
    'keys 7': [key],
  });
  const found = { kind: 'key', key: WAITING, checkAt: CHECK_AT };
  expect(await pagesOf(overdue(NOW))).toEqual([
    [{ kind: 'circuit', subscription: named, checkAt: CHECK_AT }],
    [found, found],
    [found],
    [found],
  ]);
  const shards = ['0', '1', '2', '3', '4', '5', '6', '7'];
  expect(
    queries.map(({ table, index, values }) => [table, index, values[':shard'], values[':until']]),
  ).toEqual([
    ...shards.map((shard) => ['subscriptions', 'due', shard, NOW]),
    ...shards.map((shard) => ['sequences', 'due', shard, NOW]),
    ...['0', ...shards].map((shard) => ['keys', 'due', shard, NOW]),
    ...shards.map((shard) => ['keys', 'aging', shard, NOW]),
  ]);
});

test('a payment with a gap is found, one that cannot be read is told', async () => {
  const item = { payment: 'bakery#pay-1', item: 'sequence', due_shard: '2', check_at: CHECK_AT, ...gapped };
  const { overdue, errors } = indexes({ 'sequences 2': [{ ...item, group: 7 }, item] });
  expect((await pagesOf(overdue(NOW))).flat()).toEqual([{ kind: 'gap', payment: gapped, checkAt: CHECK_AT }]);
  expect(errors).toEqual(['payment bakery#pay-1: cannot be read; see group']);
});

test('an ordering key in a backlog is found by its age when its oldest message is too old', async () => {
  const item = { ...aged, item: 'key', aging_shard: '6', age_check_at: IN_BACKLOG.age_check_at };
  const { overdue, errors } = indexes({ 'keys aging 6': [{ ...item, payment_id: 7 }, item] });
  expect((await pagesOf(overdue(NOW))).flat()).toEqual([
    { kind: 'aged_key', key: aged, checkAt: IN_BACKLOG.age_check_at },
  ]);
  expect(errors).toEqual(['ordering_key sub_1.pay-1: cannot be read; see payment_id']);
});

test('a recovery is distinguished from a circuit in the same index', async () => {
  const { overdue } = indexes({ 'subscriptions 3': [recovery, circuit] });
  expect((await pagesOf(overdue(NOW))).flat()).toEqual([
    { kind: 'circuit', subscription: named, checkAt: CHECK_AT },
    { kind: 'recovery', recovery: lost, checkAt: CHECK_AT },
  ]);
});

test('a sweep may start at any shard, and reads them all', async () => {
  const { overdue, queries } = indexes({}, 6);
  expect(await pagesOf(overdue(NOW))).toEqual([]);
  expect(queries.slice(0, 8).map(({ values }) => values[':shard'])).toEqual([
    '6',
    '7',
    '0',
    '1',
    '2',
    '3',
    '4',
    '5',
  ]);
});

test('a sweep that is out of time stops reading', async () => {
  const { overdue, queries } = indexes({ 'subscriptions 0': [circuit] });
  for await (const _ of overdue(NOW)) {
    break;
  }
  expect(queries).toHaveLength(1);
});

test('an unreadable item does not stop those behind it', async () => {
  const { overdue, errors } = indexes({
    'subscriptions 3': [
      { ...circuit, circuit: { state: 'odd' } },
      { ...recovery, step: 'two' },
    ],
    'keys 0': [{ ...key, revision: 'three' }, key],
  });
  expect((await pagesOf(overdue(NOW))).flat()).toEqual([{ kind: 'key', key: WAITING, checkAt: CHECK_AT }]);
  expect(errors).toEqual([
    'subscription_id sub_1: cannot be read; see circuit.state',
    'recovery_id rec_1: cannot be read; see step',
    'ordering_key sub_1.pay-1: cannot be read; see revision',
  ]);
});

test.each([
  [
    { kind: 'key', key: WAITING, checkAt: CHECK_AT } as const,
    { table: 'keys', key: { ordering_key: 'sub_1.pay-1', item: 'key' }, check: 'check_at' },
  ],
  [
    { kind: 'aged_key', key: aged, checkAt: CHECK_AT } as const,
    { table: 'keys', key: { ordering_key: 'sub_1.pay-1', item: 'key' }, check: 'age_check_at' },
  ],
  [
    { kind: 'circuit', subscription: named as never, checkAt: CHECK_AT } as const,
    { table: 'subscriptions', key: { service_id: 'bakery', item: 'sub_1' }, check: 'check_at' },
  ],
  [
    { kind: 'recovery', recovery: lost, checkAt: CHECK_AT } as const,
    { table: 'subscriptions', key: { service_id: 'bakery', item: 'recovery#sub_1' }, check: 'check_at' },
  ],
  [
    { kind: 'gap', payment: gapped, checkAt: CHECK_AT } as const,
    { table: 'sequences', key: { payment: 'bakery#pay-1', item: 'sequence' }, check: 'check_at' },
  ],
])('of two workers that find the same $kind, one may move its check', async (overdue, expected) => {
  const { moveCheck, moved } = indexes({});
  expect(await moveCheck(overdue, NOW)).toBe(true);
  expect(await moveCheck(overdue, '2026-11-14T10:00:00.001Z')).toBe(false);
  expect(moved).toEqual([expected]);
});

test('an index that cannot be read keeps nothing of the others waiting, and is told at the end', async () => {
  const { client } = paged(
    (table) => {
      if (table === 'sequences') {
        throw new Error('sequences: access denied');
      }
      return table === 'keys' ? [key] : [];
    },
    { checkAt: CHECK_AT },
  );
  const tables = { keys: 'keys', subscriptions: 'subscriptions', sequences: 'sequences' };
  const found: Overdue[] = [];
  const look = async () => {
    for await (const page of overdueItems(client, tables, () => {}).overdue(NOW)) {
      found.push(...page);
    }
  };
  await expect(look()).rejects.toThrow('sequences: access denied');
  expect(found.filter(({ kind }) => kind === 'key')).toHaveLength(8);
});

test('a number that JavaScript cannot hold keeps nothing behind it from being found', async () => {
  const odd = { ...key, revision: NumberValue.from('1E+125') };
  const { overdue, errors } = indexes({ 'keys 0': [odd, key], 'keys 7': [key] });
  expect((await pagesOf(overdue(NOW))).flat()).toHaveLength(2);
  expect(errors).toEqual([expect.stringContaining('see revision')]);
});
