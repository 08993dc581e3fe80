import type { RecoveryView } from '../../functions/core/message/recovery-view.ts';
import { happening, steps } from '../support/deployed/happening.ts';
import { onArrival, partner } from '../support/deployed/own-partner.ts';
import { service } from '../support/deployed/own-service.ts';
import { stack } from '../support/deployed/shared-stack.ts';
import { eventually } from '../support/eventually.ts';
import { ACCEPTED, accepted, type Reply } from '../support/network/scripted-partner.ts';

const NEVER: Reply = { status: 400, headers: { 'webhook-delivery': 'abort-message' } };
const BUSY: Reply = { status: 503 };

let startedAt: string;

beforeEach(() => {
  // This machine's clock and a queue record's may differ slightly.
  startedAt = new Date(Date.now() - 60_000).toISOString();
});

/** The recovery at this URL, once it has ended. */
function ended(location: string): Promise<RecoveryView> {
  return eventually('the recovery has ended', async () => {
    const { status, body } = await service.call('GET', location.replace('/v1', ''));
    expect(status).toBe(200);
    return body.state !== 'running' && body;
  });
}

async function recovered(subscriptionId: string): Promise<RecoveryView> {
  const started = await service.call('POST', `/subscriptions/${subscriptionId}/recoveries`, {
    since: startedAt,
  });
  expect(started).toMatchObject({ status: 202, body: { state: 'running', since: startedAt } });
  return ended(started.headers.get('location') ?? '');
}

/** The accepted webhooks of a payment, in order of arrival. */
function acceptedOf(payment: string): string[] {
  return accepted(partner.arrivals()).filter((step) => step.startsWith(`${payment}/`));
}

const numbers = (payment: string, ...wanted: number[]) => wanted.map((step) => `${payment}/${step}`);

test('exhausted messages are sent again on request: one alone, then the rest, each payment in order, marked late', async () => {
  onArrival(() => NEVER);
  const { id } = await service.subscribe(partner.url('shop'));
  await stack.publish(...steps(service, ['pay-a', 'pay-b', 'pay-c'], 3));
  const givenUp = await service.messages(
    id,
    (all) => all.length === 9 && all.every(({ state }) => state === 'exhausted'),
  );
  expect(givenUp.every(({ late }) => late === undefined)).toBe(true);

  onArrival(() => ACCEPTED);
  const second = partner.arrivals().find(({ payment_id, step }) => payment_id === 'pay-a' && step === 2);
  const alone = second?.message_id ?? '';
  expect(await service.call('POST', `/messages/${alone}/resend`)).toMatchObject({
    status: 202,
    body: { message_id: alone, state_before: 'exhausted', state_reason_before: 'aborted_by_receiver' },
  });
  const message = await eventually('the one message has come', async () => {
    const seen = await service.message(alone);
    return seen.state === 'succeeded' && seen;
  });
  expect(message).toMatchObject({
    late: true,
    attempts: [
      { attempt: 1, status_code: 400 },
      { attempt: 2, status_code: 200, late: true },
    ],
  });
  expect(message.attempts[0]).not.toHaveProperty('late');

  expect(await recovered(id)).toMatchObject({
    subscription_id: id,
    state: 'done',
    examined_count: 9,
    resent_count: 8,
    ended_at: expect.any(String),
  });
  const all = await service.messages(id, (seen) => seen.every(({ state }) => state === 'succeeded'));
  expect(all.map(({ late, attempt_count }) => [late, attempt_count])).toEqual(all.map(() => [true, 2]));
  expect(acceptedOf('pay-a')).toEqual(numbers('pay-a', 2, 1, 3));
  expect(acceptedOf('pay-b')).toEqual(numbers('pay-b', 1, 2, 3));
  expect(acceptedOf('pay-c')).toEqual(numbers('pay-c', 1, 2, 3));
});

test('messages of a recovery during an outage join the backlog, behind all that waits already', async () => {
  onArrival(() => NEVER);
  const { id } = await service.subscribe(partner.url('shop'));
  const old = ['pay-a', 'pay-b', 'pay-c'];
  await stack.publish(...steps(service, old, 1));
  await service.messages(id, (all) => all.length === 3 && all.every(({ state }) => state === 'exhausted'));

  onArrival(() => BUSY);
  // Together with the earlier three, enough to open the circuit.
  const others = Array.from({ length: 20 }, (_, index) => `pay-${index}`);
  const count = old.length * 2 + others.length;
  await stack.publish(
    ...[...old, ...others].map((payment_id) => happening(service, { payment_id, resource: { step: 2 } })),
  );
  await eventually('the circuit has opened', async () => {
    const { circuit } = await service.subscription(id);
    return circuit.state === 'open';
  });
  await service.messages(id, (all) => all.length === count);
  expect(await recovered(id)).toMatchObject({ state: 'done', examined_count: count, resent_count: 3 });
  await service.messages(id, (all) => all.filter(({ late }) => late).length === 3);

  onArrival(() => ACCEPTED);
  const all = await service.messages(id, (seen) => seen.every(({ state }) => state === 'succeeded'));
  expect(all).toHaveLength(count);
  for (const payment of old) {
    expect(acceptedOf(payment)).toEqual(numbers(payment, 2, 1));
  }
  const late = all.filter((message) => message.late).map(({ payment_id }) => payment_id);
  expect(late.sort()).toEqual(old);
});

test('what was delivered is sent again by payments or a filter, counted first, in order, and says by which recovery', async () => {
  onArrival(() => ACCEPTED);
  const { id } = await service.subscribe(partner.url('shop'));
  await stack.publish(...steps(service, ['pay-a', 'pay-b', 'pay-c'], 3));
  const delivered = await service.messages(
    id,
    (all) => all.length === 9 && all.every(({ state }) => state === 'succeeded'),
  );
  const path = `/subscriptions/${id}/recoveries`;
  const chosen = { since: startedAt, states: ['succeeded'] };
  const count = async (more: object) =>
    (await service.call('POST', `${path}/preview`, { ...chosen, ...more })).body.found_count;
  // What the index shows lags a moment.
  await eventually('all are counted', async () => (await count({})) === 9);
  expect(await count({ states: undefined })).toBe(0);
  expect(await count({ payment_ids: ['pay-a', 'of-another-service'] })).toBe(3);
  const filter = { payment_id: [{ 'anything-but': 'pay-c' }], resource: { step: [{ numeric: ['>=', 2] }] } };
  expect(await count({ filter })).toBe(4);

  const started = await service.call('POST', path, { ...chosen, filter });
  expect(started).toMatchObject({ status: 202, body: { states: ['succeeded'], filter } });
  const { recovery_id } = started.body;
  expect(await ended(started.headers.get('location') ?? '')).toMatchObject({
    ...{ recovery_id, state: 'done', examined_count: 9, resent_count: 4 },
  });
  await service.messages(id, (all) => all.filter(({ attempt_count: tries }) => tries === 2).length === 4);
  expect(acceptedOf('pay-a')).toEqual(numbers('pay-a', 1, 2, 3, 2, 3));
  expect(acceptedOf('pay-b')).toEqual(numbers('pay-b', 1, 2, 3, 2, 3));
  expect(acceptedOf('pay-c')).toEqual(numbers('pay-c', 1, 2, 3));
  const resent = partner.arrivals().find(({ payment_id, step }) => payment_id === 'pay-a' && step === 2);
  expect(await service.message(resent?.message_id ?? '')).toMatchObject({ late: true, recovery_id });
  expect(delivered.every(({ late }) => late === undefined)).toBe(true);
});

test('a recovery is stopped halfway, and another one may start; two at once do not', async () => {
  onArrival(() => ACCEPTED);
  const { id } = await service.subscribe(partner.url('shop'));
  // Two steps at least: a hundred are sent in the first.
  const payments = Array.from({ length: 130 }, (_, index) => `pay-${index}`);
  await stack.publish(...steps(service, payments, 1));
  const path = `/subscriptions/${id}/recoveries`;
  const wanted = { since: startedAt, states: ['succeeded'] };
  await eventually('all are delivered', async () => {
    const { body } = await service.call('POST', `${path}/preview`, wanted);
    return body.found_count === 130;
  });
  const { body, headers } = await service.call('POST', path, wanted);
  expect(await service.call('POST', path, wanted)).toMatchObject({
    ...{
      status: 409,
      body: { type: 'urn:payhooks:problem:recovery-running', recovery_id: body.recovery_id },
    },
  });
  const stopped = await service.call('POST', `${path}/${body.recovery_id}/stop`);
  expect(stopped).toMatchObject({ status: 200, body: { state: 'stopped', ended_at: expect.any(String) } });
  expect((await ended(headers.get('location') ?? '')).resent_count).toBeLessThan(130);
  const after = await service.call('POST', path, { ...wanted, payment_ids: ['pay-129'] });
  expect(await ended(after.headers.get('location') ?? '')).toMatchObject({ state: 'done', resent_count: 1 });
});

test('a partner whose endpoint is back asks for a probe, once a minute, and gets what waits', async () => {
  onArrival(() => BUSY);
  const { id } = await service.subscribe(partner.url('shop'));
  const payments = Array.from({ length: 25 }, (_, index) => `pay-${index}`);
  await stack.publish(...steps(service, payments, 1));
  const probe = () => service.call('POST', `/subscriptions/${id}/probe`);
  await eventually('a probe is asked for', async () => (await probe()).status === 200);
  const again = await eventually('its probes have failed', async () => {
    const answer = await probe();
    return answer.status === 429 && answer;
  });
  expect(Number(again.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(again.body).toMatchObject({ type: 'urn:payhooks:problem:too-many-probes' });

  onArrival(() => ACCEPTED);
  await service.messages(id, (all) => all.length === 25 && all.every(({ state }) => state === 'succeeded'));
  expect(await probe()).toMatchObject({ status: 409 });
});
