import { nextPace, type Pace } from '../../../../console/api/pace.ts';

/** How often something is read in an hour that is read every 3 s at the fastest. @param at what it is then */
function readings(at: (seconds: number) => unknown): readonly number[] {
  const times: number[] = [];
  let pace: Pace | undefined;
  for (let ms = 0; ms < 3_600_000; ms += pace.waitMs) {
    times.push(ms / 1_000);
    pace = nextPace(pace, at(ms / 1_000), 3_000, ms);
  }
  return times;
}

test('what does not change is read ever more slowly, down to once in a minute', () => {
  const times = readings(() => 'same');
  expect(times.slice(0, 6)).toEqual([0, 3, 6, 9, 12, 16]);
  expect(times.length).toBeLessThan(85);
  const [last = 0, before = 0] = times.toReversed();
  expect(last - before).toBe(60);
});

test('what changes after a long time is read fast again', () => {
  const times = readings((seconds) => (seconds < 1_800 ? 'waits' : 'ended'));
  const after = times.filter((time) => time > 1_800);
  expect(after[0]).toBeLessThanOrEqual(1_860);
  expect((after[1] ?? 0) - (after[0] ?? 0)).toBe(3);
});

test('what changes all the time is read fast at first, and 105 times in an hour at most', () => {
  const times = readings((seconds) => seconds);
  expect(times[10]).toBe(30);
  expect(times.length).toBeLessThanOrEqual(105);
});
