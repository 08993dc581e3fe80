import { RecentlyUsed } from '../../../functions/runtime/recently-used.ts';

function remembering(...names: readonly string[]): RecentlyUsed<string> {
  const values = new RecentlyUsed<string>(2);
  for (const name of names) {
    values.set(name, `value of ${name}`);
  }
  return values;
}

test('the least recently used value is evicted first', () => {
  const values = remembering('a', 'b', 'c');
  expect(values.size).toBe(2);
  expect(['a', 'b', 'c'].map((name) => values.get(name))).toEqual([undefined, 'value of b', 'value of c']);
});

test('reading a value counts as use', () => {
  const values = remembering('a', 'b');
  values.get('a');
  values.set('c', 'value of c');
  expect([values.get('a'), values.get('b')]).toEqual(['value of a', undefined]);
});

test('overwriting a value counts as use and adds none', () => {
  const values = remembering('a', 'b', 'a', 'c');
  expect([values.size, values.get('a'), values.get('b')]).toEqual([2, 'value of a', undefined]);
});

test('a deleted value is gone', () => {
  const values = remembering('a', 'b');
  values.delete('a');
  expect([values.size, values.get('a')]).toEqual([1, undefined]);
});
