import { admit } from '../../../../functions/core/api/rate-limit.ts';
import { tokenRecord } from '../../api/authorize/token-record.ts';

const TEN = Date.parse('2026-11-14T10:00:00.000Z');
const window = { window_started_at: '2026-11-14T10:00:00.000Z', last_used_at: '2026-11-14T10:00:00.000Z' };

test('a token on record identifies its service and scopes', () => {
  expect(admit(tokenRecord({ scopes: ['read'] }), TEN)).toMatchObject({
    kind: 'admitted',
    identity: {
      kind: 'service',
      service_id: 'shop',
      token_id: 'tok_1111111111111111',
      scopes: ['read'],
    },
  });
});

test('a token that is not on record identifies nobody', () => {
  expect(admit(undefined, TEN)).toEqual({ kind: 'refused', refusal: 'unknown' });
});

test.each([
  ['has expired', { expires_at_epoch_seconds: TEN / 1_000 }, 'expired'],
  ['was revoked', { revoked_at: '2026-11-14T09:59:59.999Z' }, 'revoked'],
])('a token that %s is refused with its id, and not counted', (_, over, refusal) => {
  expect(admit(tokenRecord(over), TEN)).toEqual({
    kind: 'refused',
    refusal,
    token_id: 'tok_1111111111111111',
  });
});

test('the first request starts a window', () => {
  expect(admit(tokenRecord(), TEN)).toMatchObject({
    counting: { kind: 'begin', at: '2026-11-14T10:00:00.000Z', previous: undefined },
  });
});

test('a request within the minute counts in the same window', () => {
  expect(admit(tokenRecord({ ...window, window_requests: 599 }), TEN + 59_999)).toMatchObject({
    counting: { kind: 'add', to: '2026-11-14T10:00:00.000Z', max: 600 },
  });
});

test('a request after the minute starts the next window, however many came before', () => {
  expect(admit(tokenRecord({ ...window, window_requests: 600 }), TEN + 60_000)).toMatchObject({
    counting: {
      kind: 'begin',
      at: '2026-11-14T10:01:00.000Z',
      previous: '2026-11-14T10:00:00.000Z',
    },
  });
});

test.each([
  [0, 60],
  [1, 60],
  [42_000, 18],
  [59_001, 1],
  [59_999, 1],
])('%i ms into a full window, a request may be repeated after %i s', (afterMs, seconds) => {
  expect(admit(tokenRecord({ ...window, window_requests: 600 }), TEN + afterMs)).toEqual({
    kind: 'refused',
    refusal: 'too_many',
    retry_after_seconds: seconds,
    token_id: 'tok_1111111111111111',
  });
});

test('a window started by a clock slightly ahead counts, and nobody waits longer than a minute', () => {
  expect(admit(tokenRecord({ ...window, window_requests: 600 }), TEN - 3_000)).toMatchObject({
    refusal: 'too_many',
    retry_after_seconds: 60,
  });
});

test('a window started by a wrong clock does not block the token for ever', () => {
  const wrong = tokenRecord({ window_started_at: '2036-11-14T10:00:00.000Z', window_requests: 600 });
  expect(admit(wrong, TEN)).toMatchObject({
    counting: { kind: 'begin', at: '2026-11-14T10:00:00.000Z', previous: '2036-11-14T10:00:00.000Z' },
  });
});
