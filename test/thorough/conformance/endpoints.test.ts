import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';

/** Nothing listens there. */
const URL = 'http://127.0.0.1:1/hooks';

const create = (over: object = {}) =>
  service.call('POST', '/subscriptions', { callback_url: URL, event_types: ['*'], live: false, ...over });

async function created(over: object = {}) {
  const { status, body } = await create(over);
  expect({ status, body }).toMatchObject({ status: 201 });
  return { path: `/subscriptions/${body.subscription_id}`, body };
}

test('a subscription is created with its defaults', async () => {
  const { body } = await created();
  expect(body).toEqual({
    subscription_id: expect.stringMatching(/^sub_/),
    callback_url: URL,
    description: '',
    event_types: ['*'],
    live: false,
    state: 'active',
    created_at: expect.any(String),
    timeout_ms: 10_000,
    schedule: 'standard',
    extra_signatures: [],
    custom_header_names: [],
    signing_secret: expect.stringMatching(/^whsec_/),
    signing_secrets: [
      {
        secret_id: expect.any(String),
        public_key: expect.stringMatching(/^whpk_/),
        created_at: expect.any(String),
      },
    ],
    circuit: { state: 'closed' },
  });
});

test('each field is set and unset alone, the others stay, and the ETag moves', async () => {
  const { path } = await created();
  /** A change, and what the subscription shows of it; undefined: nothing any more. */
  const changes: readonly (readonly [object, object])[] = [
    [{ callback_url: `${URL}/other` }, { callback_url: `${URL}/other` }],
    [{ description: 'other' }, { description: 'other' }],
    [{ description: '' }, { description: '' }],
    [{ event_types: ['card_payment_capt*'] }, { event_types: ['card_payment_capt*'] }],
    [{ timeout_ms: 2_000 }, { timeout_ms: 2_000 }],
    [{ schedule: 'govuk' }, { schedule: 'govuk' }],
    [{ contact: 'ops@shop.example' }, { contact: 'ops@shop.example' }],
    [{ contact: null }, { contact: undefined }],
    [{ custom_headers: { 'x-shop': '1' } }, { custom_header_names: ['x-shop'] }],
    [{ custom_headers: null }, { custom_header_names: [] }],
    [{ extra_signatures: ['v1a'] }, { extra_signatures: ['v1a'] }],
    [{ extra_signatures: [] }, { extra_signatures: [] }],
    [{ rate_limit: 5 }, { rate_limit: 5, circuit: expect.any(Object) }],
    [{ rate_limit: null }, { rate_limit: undefined, circuit: expect.any(Object) }],
  ];
  for (const [change, shown] of changes) {
    const before = await service.call('GET', path);
    const changed = await service.call('PATCH', path, change);
    expect({ change, ...changed }).toMatchObject({ status: 200 });
    expect(changed.body).toEqual({ ...before.body, ...shown });
    const after = await service.call('GET', path);
    expect(after.body).toEqual({ ...changed.body, circuit: expect.any(Object) });
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  }
  const tag = async () => (await service.call('GET', path)).headers.get('etag');
  const before = await tag();
  await service.call('PATCH', path, { timeout_ms: 2_000 });
  expect(await tag()).toBe(before);
});

test('a subscription can be read, listed, changed and deleted by its service alone, and is gone then for every operation', async () => {
  const { path, body } = await created();
  const { signing_secret: _, ...shown } = body;
  const other = await stack.newService();
  const since = new Date(Date.now() - 60_000).toISOString();
  const operations = [
    ['GET', ''],
    ['PATCH', '', { description: 'mine' }],
    ['POST', '/pause'],
    ['POST', '/enable'],
    ['POST', '/ping'],
    ['POST', '/secrets'],
    ['DELETE', '/secrets/sec_none'],
    ['GET', '/messages'],
    ['GET', '/statistics'],
    ['POST', '/recoveries', { since }],
    ['GET', '/recoveries/rec_none'],
    ['DELETE', ''],
  ] as const;
  const statuses = (by: typeof other) =>
    Promise.all(
      operations.map(async ([method, at, sent]) => (await by.call(method, path + at, sent)).status),
    );

  expect(await statuses(other)).toEqual(operations.map(() => 404));
  expect((await service.call('GET', path)).body).toEqual(shown);
  expect((await service.call('GET', '/subscriptions')).body).toEqual({ subscriptions: [shown] });
  expect((await other.call('GET', '/subscriptions')).body).toEqual({ subscriptions: [] });
  // Nobody chooses an id, so there is nothing to put.
  const put = await service.call('PUT', path, body);
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, PATCH, DELETE']);

  expect((await service.call('DELETE', path)).status).toBe(204);
  expect(await statuses(service)).toEqual(operations.map(() => 404));
  expect((await service.call('GET', '/subscriptions')).body).toEqual({ subscriptions: [] });
});

test('to pause what is paused and to enable what is active changes nothing', async () => {
  const { path } = await created();
  const seen: unknown[] = [];
  for (const action of ['enable', 'pause', 'pause', 'enable', 'enable']) {
    const { status, body } = await service.call('POST', `${path}/${action}`);
    seen.push([action, status, body.state]);
  }
  expect(seen).toEqual([
    ['enable', 200, 'active'],
    ['pause', 200, 'paused'],
    ['pause', 200, 'paused'],
    ['enable', 200, 'active'],
    ['enable', 200, 'active'],
  ]);
});

test('event types may be set and replaced, and are neither none nor unknown', async () => {
  const { path } = await created({ event_types: ['card_payment_captured'] });
  const change = async (event_types: unknown) => (await service.call('PATCH', path, { event_types })).status;
  expect(await Promise.all([[], ['nonsense'], ['nonsense_*'], null].map(change))).toEqual([
    400, 400, 400, 400,
  ]);
  expect((await create({ event_types: [] })).status).toBe(400);
  expect((await service.call('GET', path)).body.event_types).toEqual(['card_payment_captured']);
  expect([await change(['card_payment_settled', 'card_payment_re*']), await change(['*'])]).toEqual([
    200, 200,
  ]);
  expect((await service.call('GET', path)).body.event_types).toEqual(['*']);
});

test('custom headers are replaced as a whole, their names in lower case, their values never shown, reserved and malformed ones refused', async () => {
  const { path } = await created({ custom_headers: { Authorization: 'hunter2', 'x-shop': '1' } });
  const change = (custom_headers: object) => service.call('PATCH', path, { custom_headers });
  const names = async () => (await service.call('GET', path)).body.custom_header_names.sort();
  expect(await names()).toEqual(['authorization', 'x-shop']);

  const refused = ['content-length', 'some:thing', 'nul\u0000', 'webhook-id', 'webhook-mine', 'host', 'X A'];
  for (const name of refused) {
    expect({ name, ...(await change({ [name]: '1' })) }).toMatchObject({ status: 400 });
  }
  for (const value of ['', ' ', 'a\nb', 'é', 'x'.repeat(1_025)]) {
    expect(await change({ 'x-shop': value })).toMatchObject({ status: 400 });
  }
  expect(await names()).toEqual(['authorization', 'x-shop']);

  expect((await change({ Authorization: 'hunter3' })).status).toBe(200);
  expect(await names()).toEqual(['authorization']);
  const all = [await service.call('GET', path), await service.call('GET', '/changes')];
  expect(JSON.stringify(all.map(({ body }) => body))).not.toContain('hunter');
});
