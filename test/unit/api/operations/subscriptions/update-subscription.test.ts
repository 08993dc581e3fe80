import type { ApiPorts } from '../../../../../functions/api/api-request.ts';
import { inMemoryAuditTrail } from '../../../../../functions/core/api/audit-trail.ts';
import type { Subscription } from '../../../../../functions/core/subscription/subscription.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { apiOver, other, registryOfShop } from '../../builders.ts';

const itself = '/v1/subscriptions/sub_1';

async function given(over: Partial<Subscription> = {}, ports: Partial<ApiPorts> = {}) {
  const subscriptions = await registryOfShop(over);
  const audit = inMemoryAuditTrail();
  const armed: Parameters<ApiPorts['arm']>[0][number][] = [];
  const api = apiOver({
    subscriptions,
    audit,
    arm: async (armings) => void armed.push(...armings),
    ...ports,
  });
  let requests = 1;
  const patch = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    api({ method: 'PATCH', path: itself, body, headers, requestId: `req_${requests++}` });
  return { api, armed, audit, patch, subscriptions };
}

test('the fields sent are changed, and the others stay', async () => {
  const { api, patch } = await given();
  const before = await api({ path: itself });
  const wanted = {
    description: 'invoices',
    callback_url: 'https://shop.example/other',
    event_types: ['card_payment_captured'],
    timeout_ms: 2_000,
    schedule: 'govuk',
    rate_limit: 7,
    contact: 'ops@shop.example',
    extra_signatures: ['v1a'],
  };
  const answer = await patch(wanted);

  expect(answer).toMatchObject({ status: 200, headers: { etag: '"2"' } });
  expect(answer.body).toEqual({ ...before.body, ...wanted });
  expect((await api({ path: itself })).body).toEqual(answer.body);
});

test('null removes an optional field', async () => {
  const { patch } = await given({
    contact: 'ops@shop.example',
    rate_limit: 7,
    custom_header_names: ['x-shop'],
  });

  const { body } = await patch({ contact: null, rate_limit: null, custom_headers: null });

  expect(body).not.toHaveProperty('contact');
  expect(body).not.toHaveProperty('rate_limit');
  expect(body.custom_header_names).toEqual([]);
});

test('custom headers are replaced as a whole, and only their names are shown', async () => {
  const { patch, subscriptions, audit } = await given();
  await patch({ custom_headers: { 'X-Shop': 'bakery', 'X-Till': '1' } });

  const { body } = await patch({ custom_headers: { 'x-till': '2' } });

  expect(body.custom_header_names).toEqual(['x-till']);
  expect(subscriptions.secrets.get('sub_1')?.custom_headers).toEqual({ 'x-till': '2' });
  expect(audit.entries[1]?.changed).toEqual({
    custom_header_names: { from: ['x-shop', 'x-till'], to: ['x-till'] },
  });
});

test('new values of the same headers are a change', async () => {
  const { patch, subscriptions } = await given();
  await patch({ custom_headers: { 'x-till': '1' } });

  expect(await patch({ custom_headers: { 'x-till': '2' } })).toMatchObject({ headers: { etag: '"3"' } });
  expect(subscriptions.secrets.get('sub_1')?.custom_headers).toEqual({ 'x-till': '2' });
});

test.each([
  ['an empty object', {}],
  ['the current values', { description: 'orders', rate_limit: null, contact: null }],
  ['what the absence of a field means', { schedule: 'standard', extra_signatures: [] }],
])('a request with %s changes nothing', async (_, body) => {
  const { patch, audit } = await given();

  expect(await patch(body)).toMatchObject({ status: 200, headers: { etag: '"1"' } });
  expect(audit.entries).toEqual([]);
});

test('the audit trail has the old and the new value', async () => {
  const { patch, audit } = await given();
  await patch({ description: 'invoices', timeout_ms: 10_000 });

  expect(audit.entries).toMatchObject([
    {
      operation: 'updateSubscription',
      subscription_id: 'sub_1',
      changed: { description: { from: 'orders', to: 'invoices' } },
    },
  ]);
});

test('live events and test events never mix', async () => {
  const { patch } = await given();

  expect(await patch({ live: true })).toMatchObject({
    status: 400,
    body: {
      errors: [
        {
          field: 'live',
          reason: 'cannot be changed: live and test events never mix; create another subscription',
        },
      ],
    },
  });
});

test.each([
  ['callback_url', { callback_url: '/hooks' }],
  ['event_types.0', { event_types: ['lost'] }],
  ['schedule', { schedule: 'hourly' }],
  ['contact', { contact: 'nobody' }],
  ['custom_headers.host', { custom_headers: { host: 'x' } }],
  ['extra_signatures', { extra_signatures: ['v1a', 'v1a'] }],
  ['extra_signatures.0', { extra_signatures: ['v2'] }],
  ['state', { state: 'paused' }],
  ['signing_secret', { signing_secret: 'whsec_' }],
])('an invalid %s is named', async (field, body) => {
  const { patch } = await given();
  const answer = await patch(body);

  expect(answer).toMatchObject({ status: 400 });
  expect(answer.body.errors.map((fieldError: { field: string }) => fieldError.field)).toEqual([field]);
});

test('a new callback URL is checked like the first one', async () => {
  const callbackUrls = { vet: async () => ({ kind: 'refused', reason: 'It leads nowhere.' }) as const };
  const { patch, api } = await given({}, { callbackUrls });
  const before = await api({ path: itself });

  expect(await patch({ callback_url: 'https://other.example/' })).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'callback_url', reason: 'It leads nowhere.' }] },
  });
  expect((await api({ path: itself })).body).toEqual(before.body);
});

describe('If-Match', () => {
  test('allows a change of the current version', async () => {
    const { patch } = await given();

    expect(await patch({ description: 'a' }, { 'if-match': '"1"' })).toMatchObject({ status: 200 });
    expect(await patch({ description: 'b' }, { 'if-match': '"1", "2"' })).toMatchObject({ status: 200 });
    expect(await patch({ description: 'c' }, { 'if-match': '*' })).toMatchObject({ status: 200 });
  });

  test.each(['W/"2"', '"2-gzip"', '"1", W/"2"'])(
    'allows it behind a proxy that compresses (%s)',
    async (tag) => {
      const { patch } = await given({ revision: 2 });

      expect(await patch({ description: 'a' }, { 'if-match': tag })).toMatchObject({ status: 200 });
    },
  );

  test.each([
    ['"1"', 'has changed since you read it'],
    ['W/"3"', 'has changed since you read it'],
    ['"a"', 'names no version of the subscription'],
  ])('refuses a change of another version (%s): it %s', async (tag, reason) => {
    const { patch, api } = await given({ revision: 2 });

    expect(await patch({ description: 'a' }, { 'if-match': tag })).toMatchObject({
      status: 412,
      headers: { etag: '"2"' },
      body: {
        type: 'urn:payhooks:problem:precondition-failed',
        detail: expect.stringContaining(reason),
      },
    });
    expect((await api({ path: itself })).body.description).toBe('orders');
  });

  test.each(['1', '"1', '', '"1" "2"', '*, "1"'])('%j is refused as malformed', async (tag) => {
    const { patch } = await given();

    expect(await patch({ description: 'a' }, { 'if-match': tag })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'if-match' }] },
    });
  });

  test('lets one of several changes of the same version succeed', async () => {
    const { patch } = await given();

    const answers = await Promise.all(
      ['a', 'b', 'c'].map((description) => patch({ description }, { 'if-match': '"1"' })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  });

  test('without it, concurrent changes of different fields all succeed', async () => {
    const { patch, api } = await given();

    await Promise.all([patch({ description: 'a' }), patch({ timeout_ms: 2_000 }), patch({ rate_limit: 3 })]);

    expect((await api({ path: itself })).body).toMatchObject({
      description: 'a',
      timeout_ms: 2_000,
      rate_limit: 3,
    });
  });
});

test('adding or removing a rate limit arms a timer; changing it does not', async () => {
  const { patch, armed } = await given();
  const circuitTimer = (number: number) => ({
    timer: { tick: number, kind: 'tick' },
    dueAtMs: TEN_O_CLOCK_MS,
  });

  await patch({ rate_limit: 3 });
  expect(armed).toMatchObject([circuitTimer(1)]);
  await patch({ rate_limit: 5 });
  expect(armed).toHaveLength(1);
  expect(await patch({ rate_limit: null })).toMatchObject({ body: { circuit: { state: 'draining' } } });
  expect(armed).toMatchObject([circuitTimer(1), circuitTimer(2)]);
});

test('an unknown subscription and that of another service cannot be changed', async () => {
  const { api, patch } = await given();
  const theirs = {
    method: 'PATCH',
    path: itself,
    body: { description: 'mine' },
    context: other,
  };

  expect(await api(theirs)).toMatchObject({ status: 404 });
  expect(await api({ ...theirs, body: { callback_url: 'https://other.example/' } })).toMatchObject({
    status: 404,
  });
  await api({ method: 'DELETE', path: itself });
  expect(await patch({ description: 'late' })).toMatchObject({ status: 404 });
});
