import { isolateFailures } from '../../../../functions/core/errors/isolate-failures.ts';

test('all items go into one call', async () => {
  const calls: string[] = [];
  const acted = await isolateFailures(['a', 'b'], async (some) => calls.push(some.join(' ')));
  expect(calls).toEqual(['a b']);
  expect(acted.failed.size).toBe(0);
});

test('a failure stays with the item that causes it', async () => {
  const internalError = new Error('not b');
  const { answers, failed } = await isolateFailures(['a', 'b', 'c'], async (some) => {
    if (some.includes('b')) throw internalError;
    return some.join(' ');
  });
  expect(answers).toEqual(['a', 'c']);
  expect([...failed]).toEqual([['b', internalError]]);
});

test('no items cause no call', async () => {
  expect(await isolateFailures([], () => Promise.reject(new Error('called')))).toEqual({
    answers: [],
    failed: new Map(),
  });
});
