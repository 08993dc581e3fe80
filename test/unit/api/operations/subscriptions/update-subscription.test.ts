import type { ApiPorts } from '../../../../../functions/api/api-request.ts';
import { inMemoryAuditTrail } from '../../../../../functions/core/api/audit-trail.ts';
import type { Subscription } from '../../../../../functions/core/subscription/subscription.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { apiOver, registryOfShop } from '../../builders.ts';

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
});

test('adding or removing a rate limit arms a timer; changing it does not', async () => {
  const { patch, armed } = await given();
  const circuitTimer = (number: number) => ({
    timer: { generation: number, kind: 'circuit' },
    dueAtMs: TEN_O_CLOCK_MS,
  });

  await patch({ rate_limit: 3 });
  expect(armed).toMatchObject([circuitTimer(1)]);
  await patch({ rate_limit: 5 });
  expect(armed).toHaveLength(1);
  expect(await patch({ rate_limit: null })).toMatchObject({ body: { circuit: { state: 'draining' } } });
  expect(armed).toMatchObject([circuitTimer(1), circuitTimer(2)]);
});

test('a malformed If-Match is refused as such, also for new event types of a subscription that is not there', async () => {
  const answer = await apiOver()({
    method: 'PATCH',
    path: '/v1/subscriptions/sub_none',
    headers: { 'if-match': 'revision 1' },
    body: { event_types: ['*'] },
  });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'if-match' }] } });
});
