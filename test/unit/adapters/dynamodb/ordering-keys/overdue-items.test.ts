import { NumberValueImpl as NumberValue } from '@aws-sdk/util-dynamodb';
import { overdueItems } from '../../../../../functions/adapters/dynamodb/ordering-keys/overdue-items.ts';
import { CLOSED } from '../../../../../functions/core/circuit/circuit.ts';
import type { Overdue } from '../../../../../functions/core/ordering/overdue.ts';
import { WAITING } from '../blocked-ordering-keys.ts';
import { paged } from '../pages.ts';

const NOW = '2026-11-14T10:10:00.000Z';
const CHECK_AT = WAITING.check_at;
const key = { ...WAITING, item: 'ordering_key', due_shard: '6' };
const circuit = {
  service_id: 'bakery',
  item: 'sub_1',
  subscription_id: 'sub_1',
  circuit: { ...CLOSED, revision: 4, generation: 9 },
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
    'sequences 2': [{ payment: 'bakery#pay-1', payment_id: 'pay-1', service_id: 'bakery', group: 7 }],
    'keys 0': [{ ...key, revision: 'three' }, key],
    'keys aging 6': [{ ...key, payment_id: 7 }],
  });
  expect((await pagesOf(overdue(NOW))).flat()).toEqual([{ kind: 'key', key: WAITING, checkAt: CHECK_AT }]);
  expect(errors).toEqual([
    'subscription_id sub_1: cannot be read; see circuit.state',
    'recovery_id rec_1: cannot be read; see step',
    expect.stringMatching(/^payment bakery#pay-1: cannot be read; see /),
    'ordering_key sub_1.pay-1: cannot be read; see revision',
    expect.stringMatching(/^ordering_key sub_1.pay-1: cannot be read; see /),
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
  expect(found.filter(({ kind }) => kind === 'key')).toHaveLength(8);
});

test('a number that JavaScript cannot hold keeps nothing behind it from being found', async () => {
  const odd = { ...key, revision: NumberValue.from('1E+125') };
  const { overdue, errors } = indexes({ 'keys 0': [odd, key], 'keys 7': [key] });
  expect((await pagesOf(overdue(NOW))).flat()).toHaveLength(2);
  expect(errors).toEqual([expect.stringContaining('see revision')]);
});
