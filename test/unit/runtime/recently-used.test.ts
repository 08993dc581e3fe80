import { RecentlyUsed } from '../../../functions/runtime/recently-used.ts';
import { rememberedFor, sleep } from '../../../functions/runtime/remembered-for.ts';

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

test('all who ask within the time get one answer; a failure is asked again at once', async () => {
  let [nowMs, asked] = [0, 0];
  const ask = rememberedFor(
    10,
    async () => {
      asked += 1;
      if (asked === 2) throw new Error('no');
      return asked;
    },
    () => nowMs,
  );
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  nowMs = 10;
  await expect(ask()).rejects.toThrow('no');
  expect(await ask()).toBe(3);
  nowMs = 19;
  expect(await ask()).toBe(3);
});

/** Timers that keep the process alive. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('sleep keeps the process alive, or Lambda would end an invocation with nothing else under way', async () => {
  const before = timers();
  const paused = sleep(20);
  expect(timers()).toBe(before + 1);
  await paused;
});
