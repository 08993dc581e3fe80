import { LaggingIndex } from './lagging-index.ts';
import { SortedEntries } from './sorted-entries.ts';

interface Item {
  readonly backlog: string;
  readonly since: string;
}

const LAG_MS = 20;

function backlogs() {
  const clock = { nowMs: 0 };
  const index = new LaggingIndex<Item>({
    now: () => clock.nowMs,
    lagMs: () => LAG_MS,
    partitionOf: ({ backlog }) => backlog,
    sortOf: ({ since }) => since,
  });
  const since = (backlog: string, from = '') => [...index.from(from, backlog)].map((item) => item.since);
  return { clock, index, since };
}

test('a change becomes visible some time later, in its partition and in order', () => {
  const { clock, index, since } = backlogs();
  index.write('b', { backlog: 'one', since: '2' });
  index.write('a', { backlog: 'one', since: '1' });
  index.write('c', { backlog: 'other', since: '3' });
  expect(since('one')).toEqual([]);
  clock.nowMs += LAG_MS;
  expect(since('one')).toEqual(['1', '2']);
  expect(since('one', '2')).toEqual(['2']);
  expect(since('other')).toEqual(['3']);
});

test('an entry moves and goes as late as it came, and later where its partition is full', () => {
  const { clock, index, since } = backlogs();
  index.load('a', { backlog: 'one', since: '1' });
  index.write('a', { backlog: 'other', since: '1' }, 5);
  index.write('a', undefined);
  clock.nowMs += LAG_MS;
  expect(since('one')).toEqual(['1']);
  expect(index.outlook).toHaveLength(2);
  clock.nowMs += 5;
  expect([since('one'), since('other'), index.items]).toEqual([[], [], []]);
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
  const left = names.slice(2_500).sort();
  expect([...entries.from('')].map(({ sort }) => sort)).toEqual(left);
  expect([...entries.from('2000')].map(({ sort }) => sort)).toEqual(left.filter((sort) => sort >= '2000'));
});
