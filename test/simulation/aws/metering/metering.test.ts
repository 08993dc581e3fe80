import { itemBytes } from './item-size.ts';
import { Meter } from './meter.ts';
import { TableUnits } from './table-units.ts';

function keysTable() {
  const meter = new Meter(() => 0);
  const units = new TableUnits(
    {
      name: 'OrderingKeys',
      partitionKey: 'key',
      sortKey: 'item',
      indexes: [{ name: 'backlog', partitionKey: 'backlog_of', sortKey: 'backlogged_at', attributes: 'all' }],
    },
    meter,
  );
  return { meter, units };
}

test('an item is as large as its names and values', () => {
  expect(itemBytes({ id: 'abc', count: 1_234, live: true })).toBe(2 + 3 + (5 + 3) + (4 + 1));
  expect(itemBytes({ list: ['ab'], map: { a: 'b' } })).toBe(4 + 3 + (1 + 2) + (3 + 3) + (1 + 2));
  expect(itemBytes({ missing: undefined })).toBe(0);
});

test('each started kilobyte is a write unit, twice in a transaction', () => {
  const { meter, units } = keysTable();
  const large = { key: 'k', item: 'a', pad: 'x'.repeat(1_100) };
  units.write(undefined, large);
  expect(meter.writes).toEqual({ OrderingKeys: 2 });
  units.write(undefined, { key: 'k', item: 'b' }, 2);
  expect(meter.writes).toEqual({ OrderingKeys: 4 });
  units.write(large, undefined, 2);
  expect(meter.writes).toEqual({ OrderingKeys: 8 });
});

test('a refused write costs as much as the item that is there', () => {
  const { meter, units } = keysTable();
  units.check({ key: 'k', item: 'a', pad: 'x'.repeat(1_100) }, 2);
  units.check(undefined);
  expect(meter.writes).toEqual({ OrderingKeys: 5 });
});

test('four started kilobytes are a read unit, half of one from an index', () => {
  const { meter, units } = keysTable();
  const item = { key: 'k', item: 'a', backlog_of: 'sub_1', backlogged_at: '1', pad: 'x'.repeat(3_000) };
  units.read(item, item);
  units.read(undefined);
  units.query('backlog', [item, item]);
  expect(meter.reads).toEqual({ OrderingKeys: 3, 'OrderingKeys.backlog': 1 });
});

test('an index is charged for when its entry comes, changes, moves and goes, and not otherwise', () => {
  const { meter, units } = keysTable();
  const key = { key: 'k', item: 'ordering_key', backlog_of: 'sub_1', backlogged_at: '1' };
  const revised = { ...key, revision: 2 };
  const moved = { ...revised, backlogged_at: '2' };
  const paid = () => meter.writes['OrderingKeys.backlog'];
  units.write(undefined, key, 2);
  expect(paid()).toBe(1);
  units.write(key, { ...key }, 2);
  expect(paid()).toBe(1);
  units.write(key, revised, 2);
  expect(paid()).toBe(2);
  units.write(revised, moved, 2);
  expect(paid()).toBe(4);
  units.write(moved, { key: 'k', item: 'ordering_key' }, 2);
  expect(paid()).toBe(5);
});

test('a partition of an index takes a thousand units a second, and makes further writes wait', () => {
  const { meter, units } = keysTable();
  const waits = Array.from({ length: 1_500 }, (_, number) =>
    units.write(undefined, {
      key: `k${number}`,
      item: 'ordering_key',
      backlog_of: 'sub_1',
      backlogged_at: '1',
    }),
  );
  expect(waits[999]).toBe(0);
  expect(Math.round(waits[1_499]!)).toBe(500);
  expect(Math.round(meter.takeWaitMs())).toBe(500);
  expect(meter.takeWaitMs()).toBe(0);
  expect(meter.busiestPartition).toEqual({ OrderingKeys: 1, 'OrderingKeys.backlog': 1_500 });
});

test('so does a partition of the table itself: all messages of a payment share one', () => {
  const { meter, units } = keysTable();
  const waits = Array.from({ length: 600 }, (_, number) =>
    units.write(undefined, { key: 'k', item: String(number) }, 2),
  );
  expect(waits[499]).toBe(0);
  expect(Math.round(waits[599]!)).toBe(200);
  expect(meter.busiestPartition).toEqual({ OrderingKeys: 1_200 });
  expect(meter.throttledMs).toEqual({ OrderingKeys: 200 });
});
