import type { ApiPorts } from '../../../../../functions/api/api-request.ts';
import { stoppedRecovery } from '../../../../../functions/core/message/recovery.ts';
import { inMemoryRecoveries } from '../../../../../functions/core/message/recovery-registry.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { apiOver, registryOfShop } from '../../builders.ts';

const path = '/v1/subscriptions/sub_1/recoveries';
const span = { since: '2026-11-13T00:00:00Z', until: '2026-11-14T09:00:00+01:00' };

/** The API with one subscription of the service `shop`, and the timers it arms. */
async function given() {
  const subscriptions = await registryOfShop();
  const recoveries = inMemoryRecoveries();
  const armed: Parameters<ApiPorts['arm']>[0][number][] = [];
  const api = apiOver({ subscriptions, recoveries, arm: async (armings) => void armed.push(...armings) });
  return { api, armed, recoveries };
}

test('a recovery starts at once and shows its progress', async () => {
  const { api, armed } = await given();

  const answer = await api({ method: 'POST', path, body: span });

  const { recovery_id } = answer.body;
  expect(recovery_id).toMatch(/^rec_[\w-]{22}$/);
  expect(answer).toMatchObject({ status: 202, headers: { location: `${path}/${recovery_id}` } });
  expect(answer.body).toEqual({
    recovery_id,
    subscription_id: 'sub_1',
    state: 'running',
    since: '2026-11-13T00:00:00.000Z',
    until: '2026-11-14T08:00:00.000Z',
    examined_count: 0,
    resent_count: 0,
    started_at: '2026-11-14T10:00:00.000Z',
  });
  expect(await api({ path: `${path}/${recovery_id}` })).toMatchObject({ status: 200, body: answer.body });
  expect(armed).toEqual([
    {
      timer: { v: 1, kind: 'recovery', service_id: 'shop', subscription_id: 'sub_1', recovery_id, step: 0 },
      dueAtMs: TEN_O_CLOCK_MS,
    },
  ]);
});

test('a recovery can be narrowed to some states and event types, which it shows', async () => {
  const { api, recoveries } = await given();
  const narrowed = { states: ['exhausted'], event_types: ['card_payment_captured', 'card_payment_re*'] };
  const { status, body, headers } = await api({ method: 'POST', path, body: { ...span, ...narrowed } });
  expect({ status, body }).toMatchObject({ status: 202, body: narrowed });
  expect((await api({ path: String(headers.location) })).body).toEqual(body);
  expect(await recoveries.find({ service_id: 'shop', subscription_id: 'sub_1' })).toMatchObject(narrowed);
});

test('a recovery of payments shows how many, one by a filter shows that; both are kept', async () => {
  const { api, recoveries } = await given();
  const filter = { resource: { amount: [{ numeric: ['>=', 10_000] }] } };
  const narrowed = { states: ['succeeded'], payment_ids: ['pay_1', 'pay_2', 'pay_1'], filter };
  const { body } = await api({ method: 'POST', path, body: { ...span, ...narrowed } });
  expect(body).toMatchObject({ states: ['succeeded'], payment_count: 2, filter });
  expect(body).not.toHaveProperty('payment_ids');
  expect(await recoveries.find({ service_id: 'shop', subscription_id: 'sub_1' })).toMatchObject({
    ...{ states: ['succeeded'], payment_ids: ['pay_1', 'pay_2'], filter: JSON.stringify(filter) },
  });
});

test('states and event types that are given twice are kept once', async () => {
  const { api } = await given();
  const twice = { states: ['exhausted', 'exhausted'], event_types: ['card_payment_*', 'card_payment_*'] };
  expect(await api({ method: 'POST', path, body: { ...span, ...twice } })).toMatchObject({
    status: 202,
    body: { states: ['exhausted'], event_types: ['card_payment_*'] },
  });
});

test('without until, a recovery ends now', async () => {
  const { api } = await given();
  expect((await api({ method: 'POST', path, body: { since: span.since } })).body).toMatchObject({
    until: '2026-11-14T10:00:00.000Z',
  });
});

test('only one recovery runs at a time; the refusal of a second names the first', async () => {
  const { api, armed } = await given();
  const first = await api({ method: 'POST', path, body: span });
  armed.length = 0;

  expect(await api({ method: 'POST', path, body: span })).toMatchObject({
    status: 409,
    headers: { location: first.headers.location, 'content-type': 'application/problem+json' },
    body: {
      type: 'urn:payhooks:problem:recovery-running',
      detail: `A recovery of this subscription is already running: see ${first.headers.location}.`,
      recovery_id: first.body.recovery_id,
    },
  });
  expect(armed).toEqual([]);
});

test('a new recovery replaces one that has ended', async () => {
  const { api, recoveries } = await given();
  const first = await api({ method: 'POST', path, body: span });
  const running = await recoveries.find({ service_id: 'shop', subscription_id: 'sub_1' });
  Object.assign(running!, stoppedRecovery(running!, TEN_O_CLOCK_MS));

  expect(await api({ method: 'POST', path, body: span })).toMatchObject({ status: 202 });
  expect(await api({ path: String(first.headers.location) })).toMatchObject({ status: 404 });
});

test.each([
  [{ ...span, until: span.since }, [['until', 'must be later than since: the span holds no time']]],
  [{ since: span.until, until: span.since }, [['until', 'must be later than since: the span holds no time']]],
  [
    { since: span.since, until: '2026-11-14T10:00:00.001Z' },
    [['until', 'must not be in the future: now it is 2026-11-14T10:00:00.000Z']],
  ],
  [{ since: '2026-11-14T10:00:00Z' }, [['since', 'must be in the past: now it is 2026-11-14T10:00:00.000Z']]],
  [
    { since: '2026-08-16T09:59:59.999Z' },
    [['since', 'must be within the last 90 days: what is older goes by itself']],
  ],
  [
    { since: 'yesterday', until: 5 },
    [
      ['since', 'must be an instant such as 2026-11-14T10:00:00Z'],
      ['until', 'must be a string, not a number'],
    ],
  ],
  [{ since: '2026-02-30T00:00:00Z' }, [['since', 'must be an instant such as 2026-11-14T10:00:00Z']]],
  [
    { ...span, event_types: ['*.paid'] },
    [['event_types.0', 'must be the name of an event type, or a prefix of one followed by *']],
  ],
])('the span %j is refused', async (body, fieldErrors) => {
  const { api, armed } = await given();

  expect(await api({ method: 'POST', path, body })).toMatchObject({
    status: 400,
    headers: { 'content-type': 'application/problem+json' },
    body: {
      type: 'urn:payhooks:problem:malformed-request',
      errors: fieldErrors.map(([field, reason]) => ({ field, reason })),
    },
  });
  expect(armed).toEqual([]);
});

test('the recoveries of a deleted subscription are not found', async () => {
  const { api } = await given();
  const { headers } = await api({ method: 'POST', path, body: span });
  await api({ method: 'DELETE', path: '/v1/subscriptions/sub_1' });

  expect(await api({ method: 'POST', path, body: span })).toMatchObject({ status: 404 });
  expect(await api({ path: String(headers.location) })).toMatchObject({ status: 404 });
});
