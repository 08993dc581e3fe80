import type { StageKeySet } from '../../../../../functions/core/attempt/stage-keys.ts';
import { rememberedFor } from '../../../../../functions/runtime/remembered-for.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { apiOver, newSubscription, registryOfShop } from '../../builders.ts';

const KEY = { kid: 'one', x: 'x', y: 'y', created_at: '2026-11-01T00:00:00.000Z' };
const stageKeys = async (): Promise<StageKeySet> => ({ version: 1, keys: [KEY] });
const rfc9421 = { extra_signatures: ['rfc9421'] };

const create = (api: ReturnType<typeof apiOver>, body: object) =>
  api({ method: 'POST', path: '/v1/subscriptions', body: { ...newSubscription, ...body } });

test('a subscription may ask for rfc9421 where the stage has a key', async () => {
  const api = apiOver({ stageKeys });
  const { status, body } = await create(api, rfc9421);
  expect([status, body.extra_signatures]).toEqual([201, ['rfc9421']]);
});

test('a stage without a key says what its operator has to do', async () => {
  const refused = {
    status: 409,
    body: {
      type: 'urn:payhooks:problem:no-stage-key',
      detail:
        'This stage has no key for rfc9421 yet. Its operator makes one: npm run ops -- stage-keys rotate.',
    },
  };
  const api = apiOver({ subscriptions: await registryOfShop() });
  expect(await create(api, rfc9421)).toMatchObject(refused);
  expect(await api({ method: 'PATCH', path: '/v1/subscriptions/sub_1', body: rfc9421 })).toMatchObject(
    refused,
  );
  expect((await create(api, { extra_signatures: ['v1a'] })).status).toBe(201);
});

test('rfc9421 signs a URL, which a subscription that is pulled has not', async () => {
  const pulled = { callback_url: undefined, delivery: 'pull', ...rfc9421 };
  expect(await create(apiOver({ stageKeys }), pulled)).toMatchObject({
    status: 400,
    body: {
      errors: [
        {
          field: 'extra_signatures',
          reason: 'must not contain rfc9421: it signs a URL, and messages are pulled',
        },
      ],
    },
  });
  const subscriptions = await registryOfShop({ delivery: 'pull' });
  const api = apiOver({ stageKeys, subscriptions });
  expect(await api({ method: 'PATCH', path: '/v1/subscriptions/sub_1', body: rfc9421 })).toMatchObject({
    status: 409,
    body: { type: 'urn:payhooks:problem:wrong-delivery' },
  });
});

test('anybody may read the key set, and keep it for an hour', async () => {
  const api = apiOver({ keySet: stageKeys });
  const answer = await api({ path: '/v1/.well-known/jwks.json', context: null });
  expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=3600' } });
  expect(answer.body).toEqual({
    keys: [{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', ...KEY }],
  });
  expect(await apiOver()({ path: '/v1/.well-known/jwks.json' })).toMatchObject({
    status: 404,
    headers: { 'cache-control': 'no-store' },
  });
});

test('ten thousand requests for the key set read the keys once a minute', async () => {
  let read = 0;
  let nowMs = TEN_O_CLOCK_MS;
  const keySet = rememberedFor(
    60_000,
    () => {
      read += 1;
      return stageKeys();
    },
    () => nowMs,
  );
  const api = apiOver({ keySet });
  const path = '/v1/.well-known/jwks.json';
  const ask = (count: number) =>
    Promise.all(Array.from({ length: count }, () => api({ path, context: null })));
  expect((await ask(10_000)).every(({ status }) => status === 200)).toBe(true);
  nowMs += 60_000;
  await ask(1);
  expect(read).toBe(2);
});
