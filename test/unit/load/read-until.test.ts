import { readUntil } from '../../../load/read-until.ts';

/** Answers one more at each reading, up to so many. */
function growingTo(most: number) {
  const seen: number[] = [];
  return async () => {
    if (seen.length < most) seen.push(seen.length);
    return [...seen];
  };
}

test('what comes late is waited for', async () => {
  expect(await readUntil(3, growingTo(5), { patienceMs: 60_000, pauseMs: 1 })).toEqual([0, 1, 2]);
});

test('patience ends when nothing new comes, with what has come', async () => {
  expect(await readUntil(9, growingTo(4), { patienceMs: 20, pauseMs: 1 })).toEqual([0, 1, 2, 3]);
});
