import {
  newSubscription,
  subscriptionIdOf,
  subscriptionRequestSchema,
} from '../../../../functions/core/subscription/new-subscription.ts';

const SECRET = { secret_id: 'sec_1', public_key: 'whpk_', created_at: '2026-01-01T00:00:00.000Z' };
const request = { callback_url: 'https://shop.example/hooks', event_types: ['card_payment_*'], live: true };

test('a new subscription is active, with the standard schedule and a timeout of ten seconds', () => {
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
  ['the shortest timeout', { timeout_ms: 1_000 }],
  ['the longest timeout', { timeout_ms: 30_000 }],
  ['200 characters of two UTF-16 units each', { description: '💷'.repeat(200) }],
  ['the shortest secret', { signing_secret: `whsec_${Buffer.alloc(24).toString('base64')}` }],
  ['the longest secret', { signing_secret: `whsec_${Buffer.alloc(64).toString('base64')}` }],
  ['the schedule of GOV.UK Pay', { schedule: 'govuk' }],
  ['a contact with each letter that mail servers take', { contact: "a&b.o'brien+x/y=z@sub.example.co.uk" }],
])('a subscription may have %s', (_, member) => {
  expect(subscriptionRequestSchema.parse({ ...request, ...member })).toMatchObject(member);
});

test('a subscription holds no secrets, and only the names of custom headers', () => {
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

test('the description is optional', () => {
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
  ['too many event types', { event_types: Array(21).fill('*') }],
  ['an event type that can be none', { event_types: ['invoice paid'] }],
  ['a wildcard that is not at the end', { event_types: ['*.paid'] }],
  ['neither live nor test', { live: undefined }],
  ['a description of more than 200 characters', { description: 'x'.repeat(201) }],
  ['a timeout of less than a second', { timeout_ms: 999 }],
  ['a timeout of more than half a minute', { timeout_ms: 30_001 }],
  ['a fraction of a millisecond', { timeout_ms: 1_000.5 }],
  ['no callback URL', { callback_url: undefined }],
  ['a callback URL with another scheme', { callback_url: 'ftp://shop.example/' }],
  ['a callback URL with a blank in it', { callback_url: 'https://shop.example/a b' }],
  [
    'a callback URL of more than 2,048 characters',
    { callback_url: `https://shop.example/${'x'.repeat(2_028)}` },
  ],
  ['an unpaired surrogate', { description: '\ud83d' }],
  ['a contact that is not an address', { contact: 'the till' }],
  ['a contact of more than 254 characters', { contact: `${'x'.repeat(250)}@a.example` }],
  ['a rate limit of zero', { rate_limit: 0 }],
  ['a rate limit that is too high', { rate_limit: 101 }],
  ['a signature that does not exist', { extra_signatures: ['v2'] }],
  ['a duplicate signature', { extra_signatures: ['v1a', 'v1a'] }],
  ['a secret that is too short', { signing_secret: `whsec_${Buffer.alloc(23).toString('base64')}` }],
  ['a secret that is too long', { signing_secret: `whsec_${Buffer.alloc(65).toString('base64')}` }],
  ['a schedule that does not exist', { schedule: 'hourly' }],
])('a request with %s is refused', (_, member) => {
  expect(subscriptionRequestSchema.safeParse({ ...request, ...member }).success).toBe(false);
});

test('with a rate limit the timer starts at once; without one there is no circuit yet', () => {
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
    circuit: { state: 'closed', revision: 1, generation: 1, timer_at: '2026-11-14T10:00:00.000Z' },
  });
});
