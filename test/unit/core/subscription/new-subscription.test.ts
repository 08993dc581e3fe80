import {
  newSubscription,
  subscriptionIdOf,
  subscriptionRequestSchema,
} from '../../../../functions/core/subscription/new-subscription.ts';

const SECRET = { secret_id: 'sec_1', public_key: 'whpk_', created_at: '2026-01-01T00:00:00.000Z' };
const request = { callback_url: 'https://shop.example/hooks', event_types: ['card_payment_*'], live: true };

test('a subscription begins active, with the standard schedule and ten seconds for an attempt', () => {
  expect(
    newSubscription(subscriptionRequestSchema.parse({ ...request, description: 'orders' }), {
      serviceId: 'shop',
      subscriptionId: 'sub_1',
      createdAtMs: Date.parse('2026-01-01T00:00:00Z'),
      secret: SECRET,
    }),
  ).toEqual({
    service_id: 'shop',
    subscription_id: 'sub_1',
    callback_url: 'https://shop.example/hooks',
    description: 'orders',
    event_types: ['card_payment_*'],
    live: true,
    state: 'active',
    created_at: '2026-01-01T00:00:00.000Z',
    timeout_ms: 10_000,
    schedule: 'standard',
    signing_secrets: [SECRET],
    revision: 1,
  });
});

test.each([
  ['the shortest time for an attempt', { timeout_ms: 1_000 }],
  ['the longest time for an attempt', { timeout_ms: 30_000 }],
  ['200 characters, each of them two for a machine', { description: '💷'.repeat(200) }],
  ['the shortest secret', { signing_secret: `whsec_${Buffer.alloc(24).toString('base64')}` }],
  ['the longest secret', { signing_secret: `whsec_${Buffer.alloc(64).toString('base64')}` }],
  ['the schedule of GOV.UK Pay', { schedule: 'govuk' }],
])('a subscription may have %s', (_, member) => {
  expect(subscriptionRequestSchema.parse({ ...request, ...member })).toMatchObject(member);
});

test('of what is secret, a subscription holds names at most', () => {
  const wanted = subscriptionRequestSchema.parse({
    ...request,
    signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    custom_headers: { Authorization: 'hunter2' },
    contact: 'ops@shop.example',
    extra_signatures: ['v1a'],
  });
  const made = newSubscription(wanted, {
    serviceId: 'shop',
    subscriptionId: 'sub_1',
    createdAtMs: 0,
    secret: SECRET,
  });

  expect(made).toMatchObject({
    custom_header_names: ['authorization'],
    contact: 'ops@shop.example',
    extra_signatures: ['v1a'],
  });
  expect(JSON.stringify(made)).not.toMatch(/whsec_|hunter2/);
});

test('a subscription id fits into an ordering key', () => {
  expect(subscriptionIdOf(new Uint8Array(16).fill(255))).toBe('sub______________________w');
});

test('the description may be left out', () => {
  expect(subscriptionRequestSchema.parse(request).description).toBe('');
});

test.each([
  ['an exact event type', ['card_payment_captured']],
  ['several', ['card_payment_captured', 'card_payment_ref*']],
  ['all', ['*']],
])('a subscription may want %s', (_, event_types) => {
  expect(subscriptionRequestSchema.safeParse({ ...request, event_types }).success).toBe(true);
});

test.each([
  ['no event type', { event_types: [] }],
  ['more event types than there can be need of', { event_types: Array(21).fill('*') }],
  ['an event type that does not exist', { event_types: ['card_payment_lost'] }],
  ['an internal event type', { event_types: ['CAPTURE_CONFIRMED'] }],
  ['a prefix that nothing begins with', { event_types: ['invoice_*'] }],
  ['live or test left open', { live: undefined }],
  ['a description of more than 200 characters', { description: 'x'.repeat(201) }],
  ['less than a second for an attempt', { timeout_ms: 999 }],
  ['more than half a minute for an attempt', { timeout_ms: 30_001 }],
  ['a part of a millisecond', { timeout_ms: 1_000.5 }],
  ['no callback URL', { callback_url: undefined }],
  ['a callback URL of another kind', { callback_url: 'ftp://shop.example/' }],
  ['a callback URL with a blank in it', { callback_url: 'https://shop.example/a b' }],
  [
    'a callback URL of more than 2,048 characters',
    { callback_url: `https://shop.example/${'x'.repeat(2_028)}` },
  ],
  ['half a character', { description: '\ud83d' }],
  ['a contact that is no address', { contact: 'the till' }],
  ['a contact of more than 254 characters', { contact: `${'x'.repeat(250)}@a.example` }],
  ['a limit of nothing', { rate_limit: 0 }],
  ['a limit beyond what is kept', { rate_limit: 101 }],
  ['a signature that does not exist', { extra_signatures: ['v2'] }],
  ['a signature named twice', { extra_signatures: ['v1a', 'v1a'] }],
  ['a secret that is too short', { signing_secret: `whsec_${Buffer.alloc(23).toString('base64')}` }],
  ['a secret that is too long', { signing_secret: `whsec_${Buffer.alloc(65).toString('base64')}` }],
  ['a schedule that does not exist', { schedule: 'hourly' }],
  ['a member that nobody knows', { secret: 'mine' }],
  ['a service of its own choice', { service_id: 'other' }],
])('a request with %s is not a subscription', (_, member) => {
  expect(subscriptionRequestSchema.safeParse({ ...request, ...member }).success).toBe(false);
});

test('the line of a limit is looked at from the beginning on; who has none has no circuit yet', () => {
  const given = {
    serviceId: 'bakery',
    subscriptionId: 'sub_1',
    createdAtMs: Date.parse('2026-11-14T10:00:00Z'),
    secret: SECRET,
  };
  const wanted = subscriptionRequestSchema.parse(request);
  expect(newSubscription(wanted, given).circuit).toBeUndefined();
  expect(newSubscription({ ...wanted, rate_limit: 3 }, given)).toMatchObject({
    rate_limit: 3,
    circuit: { state: 'closed', revision: 1, tick: 1, tick_at: '2026-11-14T10:00:00.000Z' },
  });
});
