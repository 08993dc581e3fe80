import fc from 'fast-check';
import {
  bucketOf,
  histogramOf,
  LAST_BUCKET,
  mergedTimes,
  NO_TIMES,
  percentileOf,
} from '../../../../functions/core/statistics/time-histogram.ts';

const timesOf = (all: readonly number[]) => all.map(histogramOf).reduce(mergedTimes, NO_TIMES);

/** Nearest rank over the times themselves. */
function exact(all: readonly number[], part: number): number {
  return [...all].sort((a, b) => a - b)[Math.max(0, Math.ceil(all.length * part) - 1)]!;
}

test('a percentile is never below the true one, and at most 19 % above it', () => {
  const longest = 2 ** 22;
  const time = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: longest }));
  fc.assert(
    fc.property(fc.array(time, { minLength: 1 }), fc.constantFrom(0.5, 0.95, 1), (all, part) => {
      const told = percentileOf(timesOf(all), part)!;
      expect(told).toBeGreaterThanOrEqual(exact(all, part));
      expect(told).toBeLessThanOrEqual(exact(all, part) * 1.19);
    }),
  );
});

test('short times are told to the millisecond', () => {
  expect([1, 2, 3, 4].map((ms) => percentileOf(histogramOf(ms), 0.95))).toEqual([1, 2, 3, 4]);
});

test('times below nothing and beyond the last bucket are kept in the first and the last', () => {
  expect([-5, 0, 1].map(bucketOf)).toEqual([0, 0, 0]);
  expect([2 ** 22, 2 ** 22 + 1, 300_000_000].map(bucketOf)).toEqual(Array(3).fill(LAST_BUCKET));
});

test('of no times there is no percentile', () => {
  expect(percentileOf(NO_TIMES, 0.95)).toBeUndefined();
  expect(percentileOf({ 7: 0 }, 0.95)).toBeUndefined();
});
