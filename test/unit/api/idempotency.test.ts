import { inMemoryIdempotency } from '../../../functions/core/api/idempotency.ts';
import { apiOver, newSubscription } from './builders.ts';
import { idempotencyPromises } from './ports/idempotency-contract.ts';

describe('idempotency in memory', () => {
  idempotencyPromises(inMemoryIdempotency, ['shop', 'other']);
});

const path = '/v1/subscriptions';
const create = (key: string, over: object = {}) =>
  ({ method: 'POST', path, body: newSubscription, headers: { 'idempotency-key': key }, ...over }) as const;

test('a repeated request with the same key gets the same subscription, without the secret', async () => {
  const api = apiOver();

  const first = await api(create('k'));
  const second = await api(create('k'));

  const { signing_secret, ...lasting } = first.body;
  expect(signing_secret).toMatch(/^whsec_/);
  expect(first.headers).not.toHaveProperty('idempotent-replayed');
  expect(second).toMatchObject({
    status: 201,
    headers: { 'idempotent-replayed': 'true', location: first.headers.location, 'x-request-id': 'req_1' },
  });
  expect(second.body).toEqual(lasting);
  expect((await api({ path })).body.subscriptions).toHaveLength(1);
});

test('fingerprints of the same body differ by key, so a body cannot be guessed from one', async () => {
  const fingerprints: string[] = [];
  const api = apiOver({
    idempotency: {
      async once({ fingerprint }, act) {
        fingerprints.push(fingerprint);
        return { kind: 'done', answer: await act(), isRepeat: false };
      },
    },
  });
  await api(create('k'));
  await api(create('l'));
  await api(create('k'));

  const [first, other, again] = fingerprints;
  expect(first).not.toBe(other);
  expect(first).toBe(again);
});

test.each([
  ['another body', { body: { ...newSubscription, live: false } }],
  ['another path', { path: '/v1/subscriptions/sub_1/pause', body: undefined }],
])('a key reused with %s is refused', async (_, over) => {
  const api = apiOver();
  await api(create('k'));

  expect(await api(create('k', over))).toMatchObject({
    status: 422,
    body: { type: 'urn:payhooks:problem:idempotency-key-reused', request_id: 'req_1' },
  });
});

test('a repeat while the first request is running is told to retry later', async () => {
  const api = apiOver({ idempotency: { once: async () => ({ kind: 'in_progress' }) } });
  expect(await api(create('k'))).toMatchObject({
    status: 409,
    headers: { 'retry-after': '1' },
    body: { type: 'urn:payhooks:problem:request-in-progress' },
  });
});

test.each([
  ['empty', ''],
  ['too long', 'k'.repeat(256)],
  ['of two words', 'my key'],
  ['not ASCII', 'schlüssel'],
])('a key that is %s is refused', async (_, key) => {
  const api = apiOver();
  expect(await api(create(key))).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'idempotency-key', reason: 'must be 1 to 255 visible ASCII characters' }] },
  });
  expect((await api({ path })).body.subscriptions).toEqual([]);
});
