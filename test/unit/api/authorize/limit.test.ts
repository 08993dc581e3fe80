import { type ApiTokenStore, inMemoryTokens } from '../../../../functions/api/authorize/api-token-store.ts';
import { authorize } from '../../../../functions/api/authorize/authorize.ts';
import { createToken } from '../../../../functions/api/authorize/create-token.ts';

const TEN = Date.parse('2026-11-14T10:00:00.000Z');

/** A service with a token that may send three requests a minute; `how` changes the store that requests see. */
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
    /** A request at so many ms after ten: `passed`, or the refusal. */
    async request(afterMs = 0, bearer = token) {
      const { context } = await authorize(`Bearer ${bearer}`, {
        tokens,
        now: () => TEN + afterMs,
        uncounted: (id, fieldError) => uncounted.push([id, fieldError]),
      });
      return context.refusal === undefined
        ? 'passed'
        : { refusal: context.refusal, after: context.retry_after_seconds };
    },
  };
}

test('of a minute’s requests those beyond the limit are turned away, until the minute is over', async () => {
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

test('the tokens of a service are counted apart', async () => {
  const { store, request } = await limited();
  const { token: other } = await createToken(store, { serviceId: 'shop' }, TEN);
  await Promise.all([request(), request(), request()]);

  expect(await request()).toMatchObject({ refusal: 'too_many' });
  expect(await request(0, other)).toBe('passed');
});

test('of requests at the same moment no more than the limit pass', async () => {
  const { request, find, uncounted } = await limited();

  const answers = await Promise.all(Array.from({ length: 20 }, () => request()));

  expect(answers.filter((answer) => answer === 'passed')).toHaveLength(3);
  expect(await find()).toMatchObject({ window_requests: 3 });
  expect(uncounted).toEqual([]);
});

test('when a token was last used is told to the minute, for one write of a minute', async () => {
  const { request, find } = await limited();
  await request(0);
  await request(59_000);
  expect(await find()).toMatchObject({ last_used_at: '2026-11-14T10:00:00.000Z', window_requests: 2 });
});

test('requests pass when they cannot be counted', async () => {
  const fieldError = new Error('throttled');
  const { request, uncounted, tokenId } = await limited(() => ({ count: () => Promise.reject(fieldError) }));

  expect(await request()).toBe('passed');
  expect(uncounted).toEqual([[tokenId, fieldError]]);
});

test('a request passes when others keep being counted before it', async () => {
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

test('a token that is removed while its request is counted names nobody, and does not come back', async () => {
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
