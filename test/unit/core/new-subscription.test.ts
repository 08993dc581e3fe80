import {
  newSubscription,
  signingSecretOf,
  subscriptionIdOf,
  subscriptionRequestSchema,
} from '../../../functions/core/new-subscription.ts';

const request = { callback_url: 'https://shop.example/hooks', event_types: ['card_payment_*'], live: true };

test('a subscription begins active, with the standard schedule and ten seconds for an attempt', () => {
  expect(
    newSubscription(subscriptionRequestSchema.parse({ ...request, description: 'orders' }), {
      serviceId: 'shop',
      subscriptionId: 'sub_1',
      createdAt: new Date('2026-01-01T00:00:00Z'),
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
  });
});

test.each([
  ['the shortest time for an attempt', { timeout_ms: 1_000 }],
  ['the longest time for an attempt', { timeout_ms: 30_000 }],
  ['the schedule of GOV.UK Pay', { schedule: 'govuk' }],
])('a subscription may have %s', (_, member) => {
  expect(subscriptionRequestSchema.parse({ ...request, ...member })).toMatchObject(member);
});

test('a signing secret is written as Standard Webhooks has it', () => {
  expect(signingSecretOf(new Uint8Array(32))).toBe('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=');
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
  ['a schedule that does not exist', { schedule: 'hourly' }],
  ['a member that nobody knows', { secret: 'mine' }],
  ['a service of its own choice', { service_id: 'other' }],
])('a request with %s is not a subscription', (_, member) => {
  expect(subscriptionRequestSchema.safeParse({ ...request, ...member }).success).toBe(false);
});

test('the line of a limit is looked at from the beginning on; who has none has no circuit yet', () => {
  const given = { serviceId: 'bakery', subscriptionId: 'sub_1', createdAt: new Date('2026-11-14T10:00:00Z') };
  const wanted = subscriptionRequestSchema.parse(request);
  expect(newSubscription(wanted, given).circuit).toBeUndefined();
  expect(newSubscription({ ...wanted, rate_limit: 3 }, given)).toMatchObject({
    rate_limit: 3,
    circuit: { state: 'closed', revision: 1, tick: 1, tick_at: '2026-11-14T10:00:00.000Z' },
  });
});
