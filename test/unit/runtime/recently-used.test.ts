import { RecentlyUsed } from '../../../functions/runtime/recently-used.ts';

function remembering(...names: readonly string[]): RecentlyUsed<string> {
  const values = new RecentlyUsed<string>(2);
  for (const name of names) {
    values.set(name, `value of ${name}`);
  }
  return values;
}

test('what was not used for longest is forgotten first', () => {
  const values = remembering('a', 'b', 'c');
  expect(values.size).toBe(2);
  expect(['a', 'b', 'c'].map((name) => values.get(name))).toEqual([undefined, 'value of b', 'value of c']);
});

test('what is asked for is used', () => {
  const values = remembering('a', 'b');
  values.get('a');
  values.set('c', 'value of c');
  expect([values.get('a'), values.get('b')]).toEqual(['value of a', undefined]);
});

test('what is written anew is there once, and is used', () => {
  const values = remembering('a', 'b', 'a', 'c');
  expect([values.size, values.get('a'), values.get('b')]).toEqual([2, 'value of a', undefined]);
});

test('what is deleted is forgotten', () => {
  const values = remembering('a', 'b');
  values.delete('a');
  expect([values.size, values.get('a')]).toEqual([1, undefined]);
});
