import { itemBytes } from '../../../load/cost/item-size.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { Meter } from './meter.ts';
import { MeteredTable } from './metered-table.ts';
import { SortedEntries } from './sorted-entries.ts';

function backlogOf(waits: number[] = []) {
  const clock = new VirtualClock(0);
  const meter = new Meter(() => clock.now());
  const table = new MeteredTable(
    {
      name: 'Keys',
      partitionKey: 'key',
      sortKey: 'item',
      indexes: [
        { name: 'line', partitionKey: 'line', sortKey: 'parked_at', attributes: 'all', isRead: true },
      ],
      onThrottled: (waitMs) => waits.push(waitMs),
    },
    meter,
    clock,
  );
  return { meter, clock, table };
}

test('an item is as large as its names and values', () => {
  expect(itemBytes({ id: 'abc', count: 1_234, live: true })).toBe(2 + 3 + (5 + 3) + (4 + 1));
  expect(itemBytes({ list: ['ab'], map: { a: 'b' } })).toBe(4 + 3 + (1 + 2) + (3 + 3) + (1 + 2));
  expect(itemBytes({ missing: undefined })).toBe(0);
});

test('each started kilobyte is a write unit, twice in a transaction', () => {
  const { meter, table } = backlogOf();
  table.put({ key: 'k', item: 'a', pad: 'x'.repeat(1_100) }, 1);
  expect(meter.writes).toEqual({ Keys: 2 });
  table.put({ key: 'k', item: 'b' }, 2);
  expect(meter.writes).toEqual({ Keys: 4 });
  table.delete('k', 'a', 2);
  expect(meter.writes).toEqual({ Keys: 8 });
});

test('an index is paid for when its entry comes, changes, moves and goes, and not otherwise', () => {
  const { meter, table } = backlogOf();
  const key = { key: 'k', item: 'key', line: 'sub_1', parked_at: '1' };
  const paid = () => meter.writes['Keys.line'];
  table.put(key, 2);
  expect(paid()).toBe(1);
  table.put(key, 2);
  expect(paid()).toBe(1);
  table.put({ ...key, revision: 2 }, 2);
  expect(paid()).toBe(2);
  table.put({ ...key, parked_at: '2' }, 2);
  expect(paid()).toBe(4);
  table.put({ key: 'k', item: 'key' }, 2);
  expect(paid()).toBe(5);
});

test('an index shows a change a little later, the one that waits longest first', async () => {
  const { clock, table } = backlogOf();
  table.put({ key: 'k2', item: 'key', line: 'sub_1', parked_at: '2' }, 1);
  table.put({ key: 'k1', item: 'key', line: 'sub_1', parked_at: '1' }, 1);
  expect(table.index('line').query('sub_1', 10)).toEqual([]);
  await clock.run(1_000);
  expect(
    table
      .index('line')
      .query('sub_1', 10)
      .map(({ key }) => key),
  ).toEqual(['k1', 'k2']);
  expect(
    table
      .index('line')
      .query('sub_1', 1)
      .map(({ key }) => key),
  ).toEqual(['k1']);
  expect(
    table
      .index('line')
      .query('sub_1', 10, { until: '1' })
      .map(({ key }) => key),
  ).toEqual(['k1']);
});

test('a partition of an index takes a thousand units a second, and lets others wait', () => {
  const waits: number[] = [];
  const { meter, table } = backlogOf(waits);
  for (let number = 0; number < 1_500; number += 1) {
    table.put({ key: `k${number}`, item: 'key', line: 'sub_1', parked_at: '1' }, 1);
  }
  expect(waits[999]).toBe(0);
  expect(Math.round(waits[1_499]!)).toBe(500);
  expect(meter.busiestPartition).toEqual({ 'Keys.line': 1_500 });
});

test('thousands of entries stay in order, whatever comes and goes', () => {
  const entries = new SortedEntries<{ readonly sort: string }>();
  const names = Array.from({ length: 5_000 }, (_, index) => String((index * 7_919) % 5_000).padStart(4, '0'));
  for (const sort of names) {
    entries.add({ sort });
  }
  for (const sort of names.slice(0, 2_500)) {
    entries.remove(sort);
  }
  entries.remove('not there');
  expect([...entries].map(({ sort }) => sort)).toEqual(names.slice(2_500).sort());
});
