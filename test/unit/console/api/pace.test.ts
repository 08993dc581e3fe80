import { nextPace, type Pace, spend, UNTOUCHED } from '../../../../console/api/pace.ts';

const AN_HOUR_S = 3_600;

/** What is read again in an hour: when, in seconds. @param every the fastest for each thing, in seconds */
function readings(every: readonly number[], at: (seconds: number) => unknown): readonly number[] {
  const times: number[] = [];
  let allowance = UNTOUCHED;
  const paces = every.map((seconds): { pace?: Pace; next: number } => ({ next: seconds }));
  for (let second = 0; second < AN_HOUR_S; second += 1) {
    for (const [index, thing] of paces.entries()) {
      if (second < thing.next) continue;
      times.push(second);
      allowance = spend(allowance, 1, second * 1_000);
      thing.pace = nextPace(thing.pace, at(second), second * 1_000, allowance, every.length);
      thing.next = second + Math.max(every[index] ?? 0, thing.pace.restMs / 1_000);
    }
  }
  return times;
}

test('what does not change is read ever more slowly, down to once in a minute', () => {
  const times = readings([3], () => 'same');
  expect(times.slice(0, 6)).toEqual([3, 6, 9, 12, 15, 19]);
  expect(times.length).toBeLessThan(85);
  const [last = 0, before = 0] = times.toReversed();
  expect(last - before).toBe(60);
});

test('what changes after a long time is read fast again', () => {
  const times = readings([3], (seconds) => (seconds < 1_800 ? 'waits' : 'ended'));
  const after = times.filter((time) => time > 1_800);
  expect(after[0]).toBeLessThanOrEqual(1_860);
  expect((after[1] ?? 0) - (after[0] ?? 0)).toBe(3);
});

test.each([
  ['one thing', [3]],
  ['three things', [3, 3, 3]],
  ['eight things', [1, 3, 3, 5, 10, 15, 30, 60]],
] as const)(
  'what changes all the time is read fast at first; of %s, 290 times in an hour at most',
  (_, every) => {
    const times = readings(every, (seconds) => seconds);
    expect(times.filter((time) => time <= 30).length).toBeGreaterThanOrEqual(10);
    expect(times.length).toBeLessThanOrEqual(290);
    expect(times.length).toBeGreaterThan(230);
  },
);

test('a reading that takes many requests makes room for them', () => {
  const { spare } = spend(spend(UNTOUCHED, 40, 0), 40, 170_000);
  expect(spare).toBe(-10);
});
