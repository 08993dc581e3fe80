import { service } from '../../support/deployed/own-service.ts';

const create = (key?: string, over: object = {}) =>
  service.call(
    'POST',
    '/subscriptions',
    { callback_url: 'http://127.0.0.1:1/hooks', event_types: ['*'], live: false, ...over },
    key === undefined ? {} : { 'idempotency-key': key },
  );

test('a request is carried out again without a key, with a new key or after a refusal, and answered as before with the same; a GET never is', async () => {
  const idOf = async (answer: ReturnType<typeof create>) => (await answer).body.subscription_id;
  const first = await create('key-1');
  const again = await create('key-1');
  // The secret is shown once.
  const { signing_secret: _, ...shown } = first.body;
  expect([again.status, again.body, again.headers.get('location')]).toEqual([
    first.status,
    shown,
    first.headers.get('location'),
  ]);
  const ids = [
    first.body.subscription_id,
    await idOf(create()),
    await idOf(create()),
    await idOf(create('key-2')),
  ];
  expect(new Set(ids).size).toBe(4);

  const refused = await create('key-3', { event_types: [] });
  const corrected = await create('key-3');
  expect([refused.status, corrected.status]).toEqual([400, 201]);

  const list = async () => {
    const { body } = await service.call('GET', '/subscriptions', undefined, {
      'idempotency-key': 'key-4',
    });
    return body.subscriptions.length;
  };
  expect([await list(), await create().then(list)]).toEqual([5, 6]);
});
