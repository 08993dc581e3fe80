import { inMemoryAuditTrail } from '../../../../../functions/core/api/audit-trail.ts';
import { inMemoryRegistry } from '../../../../../functions/core/api/subscription-registry.ts';
import { apiOver, newSubscription, other } from '../../builders.ts';

const path = '/v1/subscriptions';

test('creating a subscription returns its signing secret', async () => {
  const answer = await apiOver()({
    method: 'POST',
    path,
    body: { ...newSubscription, description: 'orders' },
  });

  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    subscription_id: expect.stringMatching(/^sub_[A-Za-z0-9_-]{22}$/),
    delivery: 'push',
    callback_url: 'https://shop.example/hooks',
    description: 'orders',
    event_types: ['card_payment_*'],
    live: true,
    state: 'active',
    schedule: 'standard',
    timeout_ms: 10_000,
    extra_signatures: [],
    custom_header_names: [],
    signing_secrets: [
      {
        secret_id: expect.stringMatching(/^sec_[A-Za-z0-9_-]{16}$/),
        public_key: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/),
        created_at: '2026-11-14T10:00:00.000Z',
      },
    ],
    circuit: { state: 'closed' },
    created_at: '2026-11-14T10:00:00.000Z',
    signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  });
  expect(answer.headers).toMatchObject({
    location: `/v1/subscriptions/${answer.body.subscription_id}`,
    etag: '"1"',
  });
});

test('an event type that is given twice is kept once, on creation and on change', async () => {
  const subscriptions = inMemoryRegistry();
  const api = apiOver({ subscriptions });
  const event_types = ['card_payment_*', 'card_payment_captured', 'card_payment_*'];
  const { headers, body } = await api({ method: 'POST', path, body: { ...newSubscription, event_types } });
  expect(body.event_types).toEqual(['card_payment_*', 'card_payment_captured']);

  const change = { event_types: ['card_payment_captured', 'card_payment_captured'] };
  await api({ method: 'PATCH', path: String(headers.location), body: change });
  expect(await subscriptions.list('shop')).toMatchObject([{ event_types: ['card_payment_captured'] }]);
});

test('a signing secret is never shown again', async () => {
  const api = apiOver();
  const { body, headers } = await api({ method: 'POST', path, body: newSubscription });
  const { signing_secret, ...subscription } = body;

  expect(signing_secret).toBeDefined();
  expect((await api({ path: String(headers.location) })).body).toEqual(subscription);
  expect((await api({ path })).body).toEqual({ subscriptions: [subscription] });
});

test('the callback URL is stored in the normal form that the guard returns', async () => {
  const callbackUrls = { vet: async () => ({ kind: 'accepted', url: 'https://shop.example/' }) as const };

  const answer = await apiOver({ callbackUrls })({ method: 'POST', path, body: newSubscription });

  expect(answer.body.callback_url).toBe('https://shop.example/');
});

test('a callback URL that the guard refuses creates no subscription, and the answer says why', async () => {
  const reason = 'The host of the callback URL cannot be called: shop.example does not exist.';
  const api = apiOver({ callbackUrls: { vet: async () => ({ kind: 'refused', reason }) } });

  expect(await api({ method: 'POST', path, body: newSubscription })).toMatchObject({
    status: 422,
    headers: { 'content-type': 'application/problem+json' },
    body: {
      type: 'urn:payhooks:problem:callback-url-refused',
      detail: reason,
      errors: [{ field: 'callback_url', reason }],
    },
  });
  expect((await api({ path })).body).toEqual({ subscriptions: [] });
});

test.each([
  ['half of it', '{"live":', ': it ends too early'],
  ['cut off in a text', '{"description":"mi', ': it ends too early'],
  ['in single quotes', "{'live':true}", ': see line 1, column 2'],
  ['without a comma', '{"live":true,\n"description":"a" "b"}', ': see line 2, column 19'],
  ['a form', 'live=true', ''],
])('a body that is %s is not JSON, and the answer repeats nothing of it', async (_, body, where) => {
  expect(await apiOver()({ method: 'POST', path, body })).toMatchObject({
    status: 400,
    body: { type: 'urn:payhooks:problem:malformed-request', detail: `The body is not JSON${where}.` },
  });
});

test.each([
  ['a duplicate field', '"live":true', 'gives a member twice in one object: see character 35'],
  [
    'half a character in a path',
    String.raw`"fields":["/\ud83d"]`,
    String.raw`has a surrogate such as \ud83d without its other half: send both`,
  ],
])('a body with %s is refused', async (_, member, reason) => {
  const body = `{"live":false,"event_types":["*"],${member}}`;
  expect(await apiOver()({ method: 'POST', path, body })).toMatchObject({
    status: 400,
    body: { type: 'urn:payhooks:problem:malformed-request', detail: `The body ${reason}.` },
  });
});

test.each([
  [
    { ...newSubscription, live: 'yes' },
    '1 field is wrong: live must be true or false, not a string.',
    ['live'],
  ],
  [
    { ...newSubscription, live: 'yes', a: 1 },
    '2 fields are wrong: live must be true or false, not a string; a is not known.',
    ['live', 'a'],
  ],
  [[newSubscription], '1 field is wrong: body must be an object, not a list.', ['body']],
])('the detail counts and names the invalid fields of a body (%#)', async (body, detail, fields) => {
  const answer = await apiOver()({ method: 'POST', path, body });

  expect(answer).toMatchObject({ status: 400, body: { detail } });
  expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields);
});

test('each service can have twenty subscriptions', async () => {
  const api = apiOver();
  for (let i = 0; i < 20; i++) {
    expect(await api({ method: 'POST', path, body: newSubscription })).toMatchObject({ status: 201 });
  }

  expect(await api({ method: 'POST', path, body: newSubscription })).toMatchObject({
    status: 409,
    body: { type: 'urn:payhooks:problem:too-many-subscriptions' },
  });
  expect(await api({ method: 'POST', path, body: newSubscription, context: other })).toMatchObject({
    status: 201,
  });
});

test.each(['routes', 'sub_', `sub_${'x'.repeat(65)}`, 'msg_1'])('%j is no subscription id', async (id) => {
  expect(await apiOver()({ path: `${path}/${id}` })).toMatchObject({ status: 404 });
});

test('a subscription can have a contact, custom headers, extra signatures and its own secret', async () => {
  const subscriptions = inMemoryRegistry();
  const signing_secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const own = { contact: 'ops@shop.example', extra_signatures: ['pay-signature', 'v1a'] };
  const body = { ...newSubscription, ...own, signing_secret, custom_headers: { 'X-Shop': 'bakery' } };
  const answer = await apiOver({ subscriptions })({ method: 'POST', path, body });

  expect(answer).toMatchObject({
    status: 201,
    body: { ...own, signing_secret, custom_header_names: ['x-shop'] },
  });
  const [{ secret_id }] = answer.body.signing_secrets;
  expect(subscriptions.secrets.get(answer.body.subscription_id)).toEqual({
    secrets: {
      [secret_id]: {
        secret: signing_secret,
        private_key: expect.stringMatching(/^whsk_[A-Za-z0-9+/]{86}==$/),
        created_at: '2026-11-14T10:00:00.000Z',
      },
    },
    custom_headers: { 'x-shop': 'bakery' },
  });
});

test('secrets are stored in the secrets table and nowhere else', async () => {
  const subscriptions = inMemoryRegistry();
  const audit = inMemoryAuditTrail();
  const api = apiOver({ subscriptions, audit });
  const signing_secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const secrets = [signing_secret, 'hunter2', 'whsk_'];
  const body = { ...newSubscription, signing_secret, custom_headers: { authorization: 'hunter2' } };
  const { headers } = await api({ method: 'POST', path, body });
  const itself = String(headers.location);
  const changed = await api({
    method: 'PATCH',
    path: itself,
    body: { custom_headers: { authorization: 'hunter2' } },
  });
  const refused = await api({
    method: 'PATCH',
    path: itself,
    body: { custom_headers: { authorization: 'hunter2\u0000', host: 'hunter2' }, signing_secret },
  });
  const shown = [
    changed,
    refused,
    await api({ path: itself }),
    await api({ path }),
    await subscriptions.list('shop'),
    audit.entries,
  ];

  expect(refused.status).toBe(400);
  for (const secret of secrets) {
    expect(JSON.stringify(shown)).not.toContain(secret);
  }
});

test.each(['%00', 'a%0d%0aHost:%20b', '?x=%1B', '%7f'])(
  'a callback URL whose path contains %s is refused',
  async (end) => {
    const body = { ...newSubscription, callback_url: `https://shop.example/${end}` };
    expect(await apiOver()({ method: 'POST', path, body })).toMatchObject({
      status: 400,
      body: {
        errors: [
          {
            field: 'callback_url',
            reason: 'must not contain control characters, not even encoded ones such as %00 or %0d%0a',
          },
        ],
      },
    });
  },
);
