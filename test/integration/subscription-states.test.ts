import type { MessageState } from '../../functions/core/message/message.ts';
import { happening, steps } from '../support/deployed/happening.ts';
import { onArrival, partner } from '../support/deployed/own-partner.ts';
import { service } from '../support/deployed/own-service.ts';
import { stack } from '../support/deployed/shared-stack.ts';
import { eventually } from '../support/eventually.ts';
import { ACCEPTED, accepted, overtakers } from '../support/network/scripted-partner.ts';

let subscriptionId: string;

beforeEach(async () => {
  const { id } = await service.subscribe(partner.url('partner'));
  subscriptionId = id;
});

const ofPayment = (payment_id: string, step: number) =>
  happening(service, { payment_id, resource: { step } });

/** The messages as `payment/step`, oldest first, once there are this many and all are as wanted. */
async function messages(
  count: number,
  wanted: { readonly state: MessageState; readonly state_reason?: string },
) {
  const { state, state_reason } = wanted;
  const all = await service.messages(
    subscriptionId,
    (some) =>
      some.length === count &&
      some.every((one) => one.state === state && (state_reason ?? one.state_reason) === one.state_reason),
  );
  return all.reverse();
}

async function setSubscription(action: 'pause' | 'enable') {
  const { status, body } = await service.call('POST', `/subscriptions/${subscriptionId}/${action}`);
  expect(status).toBe(200);
  return body;
}

test('events published while a subscription is paused wait, and are delivered in order when it is enabled', async () => {
  expect(await setSubscription('pause')).toMatchObject({ state: 'paused', circuit: { state: 'open' } });
  await stack.publish(...steps(service, ['pay-a', 'pay-b', 'pay-c'], 3));
  const waiting = (await service.messages(subscriptionId, (all) => all.length === 9)).reverse();
  expect(waiting.slice(0, 3)).toMatchObject(Array(3).fill({ state: 'parked', state_reason: 'paused' }));
  expect(waiting.slice(3)).toMatchObject(Array(6).fill({ state: 'parked', state_reason: 'behind_earlier' }));
  expect(partner.arrivals()).toEqual([]);

  expect(await setSubscription('enable')).toMatchObject({ state: 'active', circuit: { state: 'draining' } });
  const delivered = await messages(9, { state: 'succeeded' });
  expect(delivered).toMatchObject(Array(9).fill({ attempt_count: 1, held_ms: expect.any(Number) }));
  expect(overtakers(partner.arrivals())).toEqual([]);
  expect(accepted(partner.arrivals())).toHaveLength(9);
});

test('an endpoint that is gone disables its subscription; once enabled, it gets the messages that were kept', async () => {
  onArrival(() => ({ status: 410 }));
  await stack.publish(ofPayment('pay-first', 1));
  const [first] = await messages(1, { state: 'parked', state_reason: 'disabled' });
  expect(first).toMatchObject({ attempt_count: 1, last_status_code: 410 });
  expect(await service.subscription(subscriptionId)).toMatchObject({
    state: 'disabled',
    disabled_reason: 'gone',
    disabled_at: expect.any(String),
    circuit: { state: 'open' },
  });
  await stack.publish(ofPayment('pay-first', 2), ofPayment('pay-second', 1));
  const kept = await service.messages(subscriptionId, (all) => all.length === 3);
  expect(kept.reverse().slice(1)).toMatchObject([
    { state: 'parked', state_reason: 'behind_earlier', attempt_count: 0 },
    { state: 'parked', state_reason: 'disabled', attempt_count: 0 },
  ]);
  expect(partner.arrivals()).toHaveLength(1);

  onArrival(() => ACCEPTED);
  const enabled = await setSubscription('enable');
  expect(enabled).toMatchObject({ state: 'active' });
  expect(enabled).not.toHaveProperty('disabled_reason');
  expect((await messages(3, { state: 'succeeded' }))[0]).toMatchObject({ attempt_count: 2 });
  expect(overtakers(partner.arrivals())).toEqual([]);
});

test('a partner who answered 410 for one payment cancels its message, enables the subscription, and gets all others', async () => {
  onArrival(({ payment_id, step }) => (payment_id === 'pay-gone' && step === 1 ? { status: 410 } : ACCEPTED));
  await stack.publish(ofPayment('pay-gone', 1));
  const [gone] = await messages(1, { state: 'parked', state_reason: 'disabled' });
  await stack.publish(ofPayment('pay-gone', 2), ofPayment('pay-other', 1));
  await service.messages(subscriptionId, (all) => all.length === 3);
  const cancel = () => service.call('POST', `/messages/${gone?.message_id}/cancel`);
  expect(await cancel()).toMatchObject({
    status: 202,
    body: { state_before: 'parked', state_reason_before: 'disabled' },
  });
  await service.messages(subscriptionId, (all) => all.at(-1)?.state === 'cancelled');
  expect(await service.message(gone?.message_id ?? '')).toMatchObject({
    state_reason: 'cancelled_by_partner',
    attempt_count: 1,
  });
  expect((await cancel()).status).toBe(409);

  await setSubscription('enable');
  await service.messages(subscriptionId, ([one, two]) => [one, two].every((it) => it?.state === 'succeeded'));
  expect(await service.subscription(subscriptionId)).toMatchObject({ state: 'active' });
  const { body } = await service.call('GET', `/changes?subscription_id=${subscriptionId}`);
  expect(body.changes).toContainEqual(
    expect.objectContaining({ operation: 'cancelMessage', message_id: gone?.message_id }),
  );
});

test('expired messages are cancelled instead of sent, whether they arrived late or waited too long', async () => {
  const expiring = (step: number, expiresAtMs: number) => ({
    ...ofPayment('pay-a', step),
    expires_at: new Date(expiresAtMs).toISOString(),
  });
  await stack.publish(expiring(1, Date.now() - 1_000));
  await messages(1, { state: 'cancelled', state_reason: 'expired' });

  await setSubscription('pause');
  const expiresAtMs = Date.now() + 2_000;
  await stack.publish(expiring(2, expiresAtMs), ofPayment('pay-a', 3));
  await service.messages(subscriptionId, (all) => all.length === 3 && all[1]?.state === 'parked');
  await eventually('it has expired', async () => Date.now() > expiresAtMs);
  await setSubscription('enable');
  const [last, waited] = await service.messages(subscriptionId, ([newest]) => newest?.state === 'succeeded');
  expect(waited).toMatchObject({ state: 'cancelled', state_reason: 'expired', attempt_count: 0 });
  expect(last).toMatchObject({ attempt_count: 1 });
  expect(partner.arrivals().map(({ step }) => step)).toEqual([3]);
});
