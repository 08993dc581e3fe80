import { NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb';
import { orderingKeyItem } from '../../../../../functions/adapters/dynamodb/ordering-keys/ordering-key-item.ts';
import { overdueItems } from '../../../../../functions/adapters/dynamodb/ordering-keys/overdue-items.ts';
import { keyTimer } from '../../../../../functions/core/ordering/timers.ts';
import type { Overdue } from '../../../../../functions/core/signal/overdue.ts';
import { IN_BACKLOG, WAITING } from '../blocked-ordering-keys.ts';
import { paged } from '../pages.ts';

const NOW = '2026-11-14T10:10:00.000Z';
const CHECK_AT = WAITING.check_at;
const TIMER = keyTimer(WAITING);
const key = orderingKeyItem(WAITING);
const subscription = { service_id: 'bakery', subscription_id: 'sub_1' };
const circuit = {
  ...subscription,
  item: 'sub_1',
  circuit: { state: 'open' },
  due_shard: '3',
  check_at: CHECK_AT,
  timer: { v: 1, kind: 'circuit', ...subscription, generation: 9 },
};
/** What is found of `key`. */
const KEY: Overdue = {
  timer: TIMER,
  dueAt: WAITING.due_at,
  checkAt: CHECK_AT,
  place: { table: 'keys', address: { ordering_key: 'sub_1.pay-1', item: 'ordering_key' }, check: 'check_at' },
};

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
  const tables = { orderingKeys: 'keys', subscriptions: 'subscriptions', sequences: 'sequences' };
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
    'keys aging 2': [orderingKeyItem(IN_BACKLOG)],
  });
  expect(await pagesOf(overdue(NOW))).toEqual([
    [
      {
        timer: circuit.timer,
        checkAt: CHECK_AT,
        place: {
          table: 'subscriptions',
          address: { service_id: 'bakery', item: 'sub_1' },
          check: 'check_at',
        },
      },
    ],
    [KEY, KEY],
    [KEY],
    [KEY],
    [
      {
        timer: TIMER,
        checkAt: IN_BACKLOG.age_check_at,
        place: { ...KEY.place, check: 'age_check_at' },
      },
    ],
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
      { ...circuit, timer: { ...circuit.timer, generation: 'nine' } },
      { ...circuit, timer: null },
    ],
    'sequences 2': [{ payment: 'bakery#pay-1', item: 'sequence', timer: { v: 1, kind: 'gap', group: 7 } }],
    'keys 0': [{ ...key, due_at: 5 }, key],
    'keys aging 6': [{ ...key, timer: { v: 2 } }],
  });
  expect((await pagesOf(overdue(NOW))).flat()).toEqual([KEY]);
  expect(errors).toEqual([
    'item sub_1: cannot be read; see timer.generation',
    'item sub_1: cannot be read; see timer',
    expect.stringMatching(/^payment bakery#pay-1: cannot be read; see timer/),
    'ordering_key sub_1.pay-1: cannot be read; see due_at',
    expect.stringMatching(/^ordering_key sub_1.pay-1: cannot be read; see timer/),
  ]);
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
  const tables = { orderingKeys: 'keys', subscriptions: 'subscriptions', sequences: 'sequences' };
  const found: Overdue[] = [];
  const look = async () => {
    for await (const page of overdueItems(client, tables, () => {}).overdue(NOW)) {
      found.push(...page);
    }
  };
  await expect(look()).rejects.toThrow('sequences: access denied');
  expect(found).toEqual(Array(16).fill(expect.objectContaining({ timer: TIMER })));
});

test('a number that JavaScript cannot hold keeps nothing behind it from being found', async () => {
  const odd = { ...circuit, timer: { ...circuit.timer, generation: NumberValue.from('1E+125') } };
  const { overdue, errors } = indexes({ 'subscriptions 0': [odd, circuit], 'keys 7': [key] });
  expect((await pagesOf(overdue(NOW))).flat()).toHaveLength(2);
  expect(errors).toEqual([expect.stringContaining('see timer.generation')]);
});
