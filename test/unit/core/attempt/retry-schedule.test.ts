import fc from 'fast-check';
import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { retryDelayMs } from '../../../../functions/core/attempt/retry-schedule.ts';
import { STAGES } from '../../../../payhooks.config.ts';

const schedule = DELIVERY_POLICY.schedules.standard;

function delayMs(failedAttempts: number, draw: number, retryAfterMs?: number) {
  return retryDelayMs({ failedAttempts, schedule, draw, retryAfterMs }, DELIVERY_POLICY);
}

test.each([
  [1, 4_500, 5_000, 5_500],
  [2, 54_000, 60_000, 66_000],
  [5, 6_480_000, 7_200_000, 7_920_000],
  [10, 77_760_000, 86_400_000, 95_040_000],
])('the delay after failure %i is from %i to %i to %i ms', (failedAttempts, least, middle, max) => {
  expect([0, 0.5, 1].map((draw) => delayMs(failedAttempts, draw))).toEqual([least, middle, max]);
});

test('a message has one of two schedules, and on no stage is one of them empty', () => {
  for (const { deliveryPolicy } of Object.values(STAGES)) {
    const { schedules } = deliveryPolicy;
    expect(Object.keys(schedules)).toEqual(['standard', 'govuk']);
    expect(Object.values(schedules).map(({ length }) => length)).not.toContain(0);
  }
});

test('after the eleventh failure the schedule is used up', () => {
  expect(delayMs(11, 0.5)).toBeUndefined();
});

test.each([
  ['nothing', undefined, 60_000],
  ['less than the schedule has', 30_000, 60_000],
  ['more', 90_000, 90_000],
  ['twice as much', 120_000, 120_000],
  ['a day', 86_400_000, 120_000],
])('a receiver that asks for %s is met as far as twice the delay', (_, retryAfterMs, expected) => {
  expect(delayMs(2, 0.5, retryAfterMs)).toBe(expected);
});

test('a delay is never under 0.9 nor over 2.2 times the scheduled one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: schedule.length }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.option(fc.nat(10 ** 12), { nil: undefined }),
      (failedAttempts, draw, retryAfterMs) => {
        const ratio = delayMs(failedAttempts, draw, retryAfterMs)! / schedule[failedAttempts - 1]!;
        expect(ratio).toBeGreaterThanOrEqual(0.9);
        expect(ratio).toBeLessThanOrEqual(retryAfterMs === undefined ? 1.1 : 2.2);
      },
    ),
  );
});
