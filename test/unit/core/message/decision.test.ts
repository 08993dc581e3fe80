import { reasonToDisable } from '../../../../functions/core/attempt/answers.ts';
import type { AttemptResult } from '../../../../functions/core/attempt/attempt.ts';
import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { decide, hasExpired, isOverAge } from '../../../../functions/core/message/decision.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';

const HOUR = 3_600_000;

/** Answers come on Saturday, 14 November 2026, 10:00:00 GMT. */
function answer(status_code: number, response_headers: Record<string, string> = {}): AttemptResult {
  const isSuccess = status_code >= 200 && status_code < 300;
  return {
    status_code,
    response_headers,
    duration_ms: 100,
    ...(isSuccess ? {} : { failure_class: 'http_status', failure_reason: 'not 2xx' }),
  };
}
const delivered = answer(200);
const failed = answer(500);

function decided(
  result: AttemptResult,
  over: {
    failedAttempts?: number;
    isProbe?: boolean;
    isDisabled?: boolean;
    isPaced?: boolean;
    attempt?: number;
    ageMs?: number;
    draw?: number;
    schedule?: readonly number[];
  } = {},
) {
  const { ageMs = 0, ...rest } = over;
  const circumstances = {
    isDisabled: false,
    isProbe: false,
    isPaced: false,
    attempt: 1,
    failedAttempts: 0,
    draw: 0.5,
    schedule: DELIVERY_POLICY.schedules.standard,
    ...rest,
  };
  return decide(
    result,
    { ...circumstances, sinceMs: TEN_O_CLOCK_MS - ageMs, nowMs: TEN_O_CLOCK_MS },
    DELIVERY_POLICY,
  );
}
const retryingIn = (ms: number) => ({ state: 'retrying', nextAttemptAtMs: TEN_O_CLOCK_MS + ms });

test.each([200, 201, 202, 204, 299])('%i: delivered', (status) => {
  expect(decided(answer(status))).toEqual({ state: 'succeeded' });
});

test.each([301, 302, 307, 400, 401, 404, 409, 410, 422, 429, 500, 502, 503, 504])(
  '%i: retried after the first delay of the schedule',
  (status) => {
    expect(decided(answer(status))).toEqual(retryingIn(5_000));
  },
);

test.each(['timeout', 'dns', 'connect', 'tls', 'blocked_address', 'oversized'] as const)(
  '%s: retried, since no answer is final',
  (failure_class) => {
    expect(decided({ failure_class, failure_reason: 'so it was', duration_ms: 100 })).toEqual(
      retryingIn(5_000),
    );
  },
);

test('an answer that broke off is no delivery, whatever its status', () => {
  expect(decided({ ...answer(200), failure_class: 'timeout' })).toEqual(retryingIn(5_000));
});

test('a delivered message has succeeded, however old, and whatever else its receiver asks for', () => {
  expect(decided(answer(200, { 'webhook-delivery': 'disable' }), { ageMs: 200 * HOUR })).toEqual({
    state: 'succeeded',
  });
});

test('a failed attempt is followed by the next one of the schedule', () => {
  expect(decided(failed)).toEqual(retryingIn(5_000));
  expect(decided(failed, { failedAttempts: 1 })).toEqual(retryingIn(60_000));
});

test('payments that failed together do not come back together', () => {
  expect(decided(failed, { failedAttempts: 1, draw: 0 })).toEqual(retryingIn(54_000));
});

test('the eleventh failure was the last', () => {
  expect(decided(failed, { failedAttempts: 9 })).toEqual(retryingIn(24 * HOUR));
  expect(decided(failed, { failedAttempts: 10 })).toEqual({ state: 'exhausted', reason: 'schedule' });
});

test('an attempt that fails 76 hours after intake was the last', () => {
  const exhausted = { state: 'exhausted', reason: 'age' };
  expect(decided(failed, { ageMs: 76 * HOUR - 1 })).toMatchObject({ state: 'retrying' });
  expect(decided(failed, { ageMs: 76 * HOUR })).toEqual(exhausted);
  expect(decided(failed, { ageMs: 76 * HOUR, isProbe: true })).toEqual(exhausted);
  expect(decided(answer(410), { ageMs: 76 * HOUR, isDisabled: true })).toEqual(exhausted);
});

test('a probe uses up nothing of the schedule', () => {
  expect(decided(failed, { isProbe: true, failedAttempts: 10 })).toEqual({
    state: 'parked',
    reason: 'circuit_open',
  });
});

test.each([true, false])(
  'a message whose answer disables the subscription waits (as a probe: %j)',
  (isProbe) => {
    expect(decided(answer(410), { isProbe, isDisabled: true, failedAttempts: 10 })).toEqual({
      state: 'parked',
      reason: 'disabled',
    });
  },
);

describe('Retry-After', () => {
  const schedule = [60_000];

  test.each([429, 502, 503, 504])('lengthens the delay with %i', (status) => {
    expect(decided(answer(status, { 'retry-after': '100' }), { schedule })).toEqual(retryingIn(100_000));
  });

  test.each([301, 400, 404, 500, 501])('is ignored with %i', (status) => {
    expect(decided(answer(status, { 'retry-after': '100' }), { schedule })).toEqual(retryingIn(60_000));
  });

  test.each([
    ['0', 60_000],
    [' 70 ', 70_000],
    ['Sat, 14 Nov 2026 10:01:30 GMT', 90_000],
    [' Sat, 14 Nov 2026 10:01:30 GMT ', 90_000],
    ['Saturday, 14-Nov-26 10:01:30 GMT', 90_000],
  ])('%j: this many ms', (value, delayMs) => {
    expect(decided(answer(503, { 'retry-after': value }), { schedule })).toEqual(retryingIn(delayMs));
  });

  test.each([
    '',
    'soon',
    '-1',
    '70.5',
    '1e2',
    '10000000000',
    '2026-11-14T10:01:30Z',
    'Sat, 14 Nov 2026 09:59:00 GMT',
    'Sat, 14 Nov 2026 11:01:30 GMT+0100',
    'GMT',
  ])('%j is ignored', (value) => {
    expect(decided(answer(503, { 'retry-after': value }), { schedule })).toEqual(retryingIn(60_000));
  });
});

describe('webhook-delivery', () => {
  const aborted = { state: 'exhausted', reason: 'aborted_by_receiver' };

  test.each([
    [503, 'abort-message', aborted, undefined],
    [503, ' Abort-Message ', aborted, undefined],
    [410, 'abort-message', aborted, 'gone'],
    [503, 'disable', retryingIn(5_000), 'asked_by_receiver'],
    [410, 'disable', retryingIn(5_000), 'gone'],
    [503, 'hurry', retryingIn(5_000), undefined],
    [200, 'disable', { state: 'succeeded' }, 'asked_by_receiver'],
    [200, 'abort-message', { state: 'succeeded' }, undefined],
  ])('%i with %j', (status, asked, decision, disables) => {
    const result = answer(status, { 'webhook-delivery': asked });
    expect(decided(result)).toEqual(decision);
    expect(reasonToDisable(result)).toBe(disables);
  });
});

test('only 410 disables without being asked to', () => {
  expect([delivered, failed, answer(404), answer(410)].map(reasonToDisable)).toEqual([
    undefined,
    undefined,
    undefined,
    'gone',
  ]);
});

test('a message is over age 76 hours after its intake', () => {
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
