import type { AttemptResult } from '../../../../functions/core/attempt/attempt.ts';
import { decide } from '../../../../functions/core/attempt/decision.ts';

/** Saturday, 14 November 2026, 10:00:00 GMT. */
const HEARD_AT_MS = Date.UTC(2026, 10, 14, 10);

function answer(status_code: number, response_headers: Record<string, string> = {}): AttemptResult {
  const isSuccess = status_code >= 200 && status_code < 300;
  return {
    status_code,
    response_headers,
    duration_ms: 100,
    ...(isSuccess ? {} : { failure_class: 'http_status', failure_reason: 'not 2xx' }),
  };
}

test.each([200, 201, 202, 204, 299])('%i: delivered', (status) => {
  expect(decide(answer(status), HEARD_AT_MS)).toEqual({ kind: 'delivered' });
});

test.each([301, 302, 307, 400, 401, 404, 409, 422, 429, 500, 502, 503, 504])('%i: failed', (status) => {
  expect(decide(answer(status), HEARD_AT_MS)).toEqual({ kind: 'failed' });
});

test.each(['timeout', 'dns', 'connect', 'tls', 'blocked_address', 'oversized'] as const)(
  '%s: failed, as no answer is final',
  (failure_class) => {
    const result = { failure_class, failure_reason: 'so it was', duration_ms: 100 };
    expect(decide(result, HEARD_AT_MS)).toEqual({ kind: 'failed' });
  },
);

test('an answer that broke off is no delivery, whatever its status', () => {
  const result: AttemptResult = { ...answer(200), failure_class: 'timeout' };
  expect(decide(result, HEARD_AT_MS)).toEqual({ kind: 'failed' });
});

test('410: failed, and the subscription is gone', () => {
  expect(decide(answer(410), HEARD_AT_MS)).toEqual({ kind: 'failed', disables: 'gone' });
});

describe('Retry-After', () => {
  test.each([429, 502, 503, 504])('is heard with %i', (status) => {
    expect(decide(answer(status, { 'retry-after': '120' }), HEARD_AT_MS)).toEqual({
      kind: 'failed',
      retryAfterMs: 120_000,
    });
  });

  test.each([301, 400, 404, 500, 501])('is not heard with %i', (status) => {
    expect(decide(answer(status, { 'retry-after': '120' }), HEARD_AT_MS)).toEqual({ kind: 'failed' });
  });

  test.each([
    ['0', 0],
    [' 7 ', 7_000],
    ['Sat, 14 Nov 2026 10:01:30 GMT', 90_000],
    ['Saturday, 14-Nov-26 10:01:30 GMT', 90_000],
  ])('%j is so many ms', (value, retryAfterMs) => {
    expect(decide(answer(503, { 'retry-after': value }), HEARD_AT_MS)).toEqual({
      kind: 'failed',
      retryAfterMs,
    });
  });

  test.each([
    '',
    'soon',
    '-1',
    '1.5',
    '1e3',
    '10000000000',
    '2026-11-14T10:01:30Z',
    'Sat, 14 Nov 2026 09:59:00 GMT',
    'GMT',
  ])('%j is as if it were not there', (value) => {
    expect(decide(answer(503, { 'retry-after': value }), HEARD_AT_MS)).toEqual({ kind: 'failed' });
  });
});

describe('webhook-delivery', () => {
  test.each([
    [503, 'abort-message', { kind: 'aborted' }],
    [503, ' Abort-Message ', { kind: 'aborted' }],
    [410, 'abort-message', { kind: 'aborted', disables: 'gone' }],
    [503, 'disable', { kind: 'failed', disables: 'asked_by_receiver' }],
    [410, 'disable', { kind: 'failed', disables: 'gone' }],
    [503, 'hurry', { kind: 'failed' }],
    [200, 'disable', { kind: 'delivered', disables: 'asked_by_receiver' }],
    [200, 'abort-message', { kind: 'delivered' }],
  ])('%i with %j', (status, asked, decision) => {
    expect(decide(answer(status, { 'webhook-delivery': asked }), HEARD_AT_MS)).toEqual(decision);
  });
});
