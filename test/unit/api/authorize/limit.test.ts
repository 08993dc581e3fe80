import { authorize } from '../../../../functions/api/authorize/authorize.ts';
import { createToken } from '../../../../functions/api/authorize/create-token.ts';
import { type ApiTokenStore, inMemoryTokens } from '../../../../functions/core/api/api-token-store.ts';
import { inMemoryPortalSessions } from '../../../../functions/core/api/portal/portal-session-store.ts';
import { inMemoryStageSessions } from '../../../../functions/core/api/stage/stage-session-store.ts';

const TEN = Date.parse('2026-11-14T10:00:00.000Z');

/** A service whose token may send three requests per minute; `how` changes the store that requests see. */
async function limited(how: (store: ApiTokenStore) => Partial<ApiTokenStore> = () => ({})) {
  const store = inMemoryTokens();
  const { token, record } = await createToken(store, { serviceId: 'shop', requestsPerMinute: 3 }, TEN);
  const uncounted: unknown[] = [];
  const tokens = { ...store, ...how(store) };
  return {
    store,
    uncounted,
    tokenId: record.token_id,
    find: () => store.find(record.token_hash),
    /** A request this many ms after ten: `passed`, or the refusal. */
    async request(afterMs = 0, bearer = token) {
      const { context } = await authorize(`Bearer ${bearer}`, {
        tokens,
        sessions: inMemoryPortalSessions(),
        stageSessions: inMemoryStageSessions(),
        now: () => TEN + afterMs,
        uncounted: (id, error) => uncounted.push([id, error]),
      });
      return context.refusal === undefined
        ? 'passed'
        : { refusal: context.refusal, after: context.retry_after_seconds };
    },
  };
}

test('requests above the limit are refused until the minute is over', async () => {
  const { request, find } = await limited();

  expect([await request(0), await request(10_000), await request(20_000)]).toEqual([
    'passed',
    'passed',
    'passed',
  ]);
  expect(await request(20_500)).toEqual({ refusal: 'too_many', after: '40' });
  expect(await request(60_000)).toBe('passed');
  expect(await find()).toMatchObject({ window_requests: 1, last_used_at: '2026-11-14T10:01:00.000Z' });
});

test('each token of a service has its own limit', async () => {
  const { store, request } = await limited();
  const { token: other } = await createToken(store, { serviceId: 'shop' }, TEN);
  await Promise.all([request(), request(), request()]);

  expect(await request()).toMatchObject({ refusal: 'too_many' });
  expect(await request(0, other)).toBe('passed');
});

test('concurrent requests do not exceed the limit', async () => {
  const { request, find, uncounted } = await limited();

  const answers = await Promise.all(Array.from({ length: 20 }, () => request()));

  expect(answers.filter((answer) => answer === 'passed')).toHaveLength(3);
  expect(await find()).toMatchObject({ window_requests: 3 });
  expect(uncounted).toEqual([]);
});

test('the last use of a token is recorded to the minute, with one write per minute', async () => {
  const { request, find } = await limited();
  await request(0);
  await request(59_000);
  expect(await find()).toMatchObject({ last_used_at: '2026-11-14T10:00:00.000Z', window_requests: 2 });
});

test('requests pass when counting fails', async () => {
  const error = new Error('throttled');
  const { request, uncounted, tokenId } = await limited(() => ({ count: () => Promise.reject(error) }));

  expect(await request()).toBe('passed');
  expect(uncounted).toEqual([[tokenId, error]]);
});

test('a request passes when it keeps losing the count to others', async () => {
  let tries = 0;
  const { request, uncounted, tokenId } = await limited(() => ({
    count: async () => {
      tries += 1;
      return false;
    },
  }));

  expect(await request()).toBe('passed');
  expect(tries).toBe(3);
  expect(uncounted).toEqual([[tokenId, undefined]]);
});

test('a token deleted while its request is counted is refused, and is not written back', async () => {
  let isThere = true;
  const { request } = await limited((store) => ({
    find: async (hash) => (isThere ? store.find(hash) : undefined),
    count: async () => {
      isThere = false;
      return false;
    },
  }));
  expect(await request()).toEqual({ refusal: 'unknown', after: undefined });
});
