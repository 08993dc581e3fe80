import { concluded, hasExpired, isOverAge } from '../../../../functions/core/attempt/conclusion.ts';
import type { Decision } from '../../../../functions/core/attempt/decision.ts';
import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';

const HOUR = 3_600_000;

function conclude(
  decision: Decision,
  over: {
    failedAttempts?: number;
    isProbe?: boolean;
    isDisabled?: boolean;
    ageMs?: number;
    draw?: number;
  } = {},
) {
  const { failedAttempts = 0, isProbe = false, isDisabled = false, ageMs = 0, draw = 0.5 } = over;
  return concluded(
    {
      decision,
      isDisabled,
      isProbe,
      failedAttempts,
      sinceMs: TEN_O_CLOCK_MS - ageMs,
      schedule: DELIVERY_POLICY.schedules.standard,
      draw,
      nowMs: TEN_O_CLOCK_MS,
    },
    DELIVERY_POLICY,
  );
}
const failed: Decision = { kind: 'failed' };

test('what was delivered has succeeded, however old, and whatever else was asked', () => {
  expect(conclude({ kind: 'delivered', disables: 'asked_by_receiver' }, { ageMs: 200 * HOUR })).toEqual({
    state: 'succeeded',
  });
});

test('what failed is tried again after the next delay of its schedule', () => {
  expect(conclude(failed)).toEqual({ state: 'retrying', nextAttemptAtMs: TEN_O_CLOCK_MS + 5_000 });
  expect(conclude(failed, { failedAttempts: 1 })).toEqual({
    state: 'retrying',
    nextAttemptAtMs: TEN_O_CLOCK_MS + 60_000,
  });
});

test('payments that failed together do not come back together', () => {
  expect(conclude(failed, { failedAttempts: 1, draw: 0 })).toEqual({
    state: 'retrying',
    nextAttemptAtMs: TEN_O_CLOCK_MS + 54_000,
  });
});

test('Retry-After lengthens the delay', () => {
  expect(conclude({ kind: 'failed', retryAfterMs: 8_000 })).toEqual({
    state: 'retrying',
    nextAttemptAtMs: TEN_O_CLOCK_MS + 8_000,
  });
});

test('the eleventh failure was the last', () => {
  expect(conclude(failed, { failedAttempts: 9 })).toEqual({
    state: 'retrying',
    nextAttemptAtMs: TEN_O_CLOCK_MS + 24 * HOUR,
  });
  expect(conclude(failed, { failedAttempts: 10 })).toEqual({ state: 'exhausted', reason: 'schedule' });
});

test('a receiver that never wants a message is not asked again', () => {
  expect(conclude({ kind: 'aborted', disables: 'gone' })).toEqual({
    state: 'exhausted',
    reason: 'aborted_by_receiver',
  });
});

test('an attempt that fails 76 hours after admission was the last', () => {
  expect(conclude(failed, { ageMs: 76 * HOUR - 1 })).toMatchObject({ state: 'retrying' });
  expect(conclude(failed, { ageMs: 76 * HOUR })).toEqual({ state: 'exhausted', reason: 'age' });
  expect(conclude(failed, { ageMs: 76 * HOUR, isProbe: true })).toEqual({
    state: 'exhausted',
    reason: 'age',
  });
  expect(conclude({ kind: 'failed', disables: 'gone' }, { ageMs: 76 * HOUR })).toEqual({
    state: 'exhausted',
    reason: 'age',
  });
});

test('a probe uses up nothing of the schedule', () => {
  expect(conclude(failed, { isProbe: true, failedAttempts: 10 })).toEqual({
    state: 'parked',
    reason: 'circuit_open',
  });
});

test.each([true, false])('the message that finds its receiver gone is kept (as a probe: %j)', (isProbe) => {
  expect(conclude({ kind: 'failed' }, { isProbe, isDisabled: true, failedAttempts: 10 })).toEqual({
    state: 'parked',
    reason: 'disabled',
  });
});

test('where its subscription could not be disabled it is tried again', () => {
  expect(conclude({ kind: 'failed', disables: 'gone' })).toMatchObject({ state: 'retrying' });
});

test('over age is whoever was admitted 76 hours ago', () => {
  expect(isOverAge(0, 273_599_999, DELIVERY_POLICY)).toBe(false);
  expect(isOverAge(0, 273_600_000, DELIVERY_POLICY)).toBe(true);
});

test.each([
  ['no time', undefined, false],
  ['a time to come', '2026-11-14T10:00:00.001Z', false],
  ['this very time', '2026-11-14T10:00:00.000Z', true],
  ['a time in another zone that has passed', '2026-11-14T11:59:59+02:00', true],
])('a message that expires at %s', (_, expires_at, expected) => {
  expect(hasExpired({ expires_at }, TEN_O_CLOCK_MS)).toBe(expected);
});
