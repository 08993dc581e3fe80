import { randomUUID } from 'node:crypto';
import { subscriptionReader } from '../../../functions/adapters/dynamodb/subscriptions/subscription-reader.ts';
import { orderingKey } from '../../../functions/core/message/message.ts';
import { SIGNAL_KINDS, type Signal, signal } from '../../../functions/core/signal/signal.ts';
import { message } from '../../support/builders.ts';
import { blockedOrderingKey } from '../../support/deployed/blocked-ordering-key.ts';
import { happening } from '../../support/deployed/happening.ts';
import { partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { accepted } from '../../support/network/scripted-partner.ts';

let subscriptionId: string;

beforeEach(async () => {
  const { id } = await service.subscribe(partner.url(service.serviceId));
  subscriptionId = id;
});

function keyOf(payment_id: string) {
  return { service_id: service.serviceId, subscription_id: subscriptionId, payment_id };
}

/** Sends a record to the message group of an ordering key, as anybody who may send signals would. */
const deliveries = (body: object, group: string) => stack.put('deliveries', body, group);

async function signals(...sent: readonly Signal[]): Promise<void> {
  for (const one of sent) await deliveries(one, orderingKey(one));
}

const timer = (body: string) => stack.put('retryTimers', body);

test('signals for an ordering key that is not blocked do nothing and delay nobody', async () => {
  const key = keyOf('pay-healthy');
  const unknownKey = { ...key, subscription_id: 'sub_unknown' };
  await signals(
    ...SIGNAL_KINDS.flatMap((signalKind) => [signal(key, signalKind), signal(unknownKey, signalKind)]),
  );
  await stack.publish(happening(service, { payment_id: key.payment_id, resource: { step: 1 } }));
  await service.messages(subscriptionId, ([first]) => first?.state === 'succeeded');
  expect(accepted(partner.arrivals(service.serviceId))).toEqual(['pay-healthy/1']);
});

test('signals for an ordering key that is not due change nothing', async () => {
  const key = keyOf('pay-patient');
  const [waiting = ''] = await blockedOrderingKey(stack, {
    ...{ service, subscriptionId, paymentId: key.payment_id },
    dueAtMs: Date.now() + 600_000,
    waiting: ['known'],
  });
  await signals(...SIGNAL_KINDS.map((signalKind) => signal(key, signalKind)));
  await stack.publish(happening(service, { payment_id: key.payment_id, resource: { step: 2 } }));
  // It came after the signals, so they have been handled.
  const [later] = await service.messages(subscriptionId, (messages) => messages.length === 2);
  expect(later).toMatchObject({ state: 'parked', state_reason: 'behind_earlier', attempt_count: 0 });
  expect(await service.message(waiting)).toMatchObject({ state: 'parked', attempt_count: 0, attempts: [] });
  expect(partner.arrivals(service.serviceId)).toEqual([]);
});

test('a signal that arrives five times is carried out once', async () => {
  const key = keyOf('pay-due');
  await blockedOrderingKey(stack, {
    ...{ service, subscriptionId, paymentId: key.payment_id },
    dueAtMs: Date.now(),
    waiting: ['known', 'known'],
  });
  await signals(...Array.from({ length: 5 }, () => signal(key, 'due')));
  await stack.publish(happening(service, { payment_id: key.payment_id, resource: { step: 3 } }));
  await service.messages(
    subscriptionId,
    (messages) => messages.length === 3 && messages.every(({ state }) => state === 'succeeded'),
  );
  expect(accepted(partner.arrivals(service.serviceId))).toEqual(['pay-due/1', 'pay-due/2', 'pay-due/3']);
});

test.each([
  ['an unknown kind', { wish: 'sneeze' }, 'wish'],
  ['no payment', { payment_id: undefined }, 'payment_id'],
  ['a version that never existed', { v: 0 }, 'v: '],
])('a signal with %s is dead-lettered with its reason', async (_, over, explanation) => {
  const key = keyOf(`pay-${randomUUID()}`);
  await deliveries({ ...signal(key, 'due'), ...over, mark: key.payment_id }, orderingKey(key));
  const [deadLetter] = await eventually('the signal among the dead letters', async () => {
    const deadLetters = await stack.takeDeadLetters(stack.outputs.queues.deliveriesDeadLetters, (body) =>
      body.includes(key.payment_id),
    );
    return deadLetters.length > 0 && deadLetters;
  });
  expect(deadLetter).toMatchObject({
    reason: 'unreadable',
    explanation: expect.stringContaining(explanation),
  });
  await stack.publish(happening(service, { payment_id: key.payment_id, resource: { step: 1 } }));
  await service.messages(subscriptionId, ([first]) => first?.state === 'succeeded');
});

test('a queued message without its message is removed, and what waits behind it continues', async () => {
  const key = keyOf('pay-pointless');
  const [, second = ''] = await blockedOrderingKey(stack, {
    ...{ service, subscriptionId, paymentId: key.payment_id },
    dueAtMs: Date.now(),
    waiting: ['unknown', 'known', 'unknown'],
  });
  await signals(signal(key, 'due'));
  await eventually('the second is delivered', async () => {
    const { state, attempts } = await service.message(second);
    return state === 'succeeded' && attempts.length === 1;
  });
  await stack.publish(happening(service, { payment_id: key.payment_id, resource: { step: 4 } }));
  await service.messages(
    subscriptionId,
    (messages) => messages.length === 2 && messages.every(({ state }) => state === 'succeeded'),
  );
  expect(accepted(partner.arrivals(service.serviceId))).toEqual(['pay-pointless/2', 'pay-pointless/4']);
});

test('a message of a subscription that does not exist is cancelled, not sent', async () => {
  const stray = message({
    message_id: `msg_${randomUUID()}`,
    service_id: service.serviceId,
    subscription_id: 'sub_unknown',
    admitted_at_ms: Date.now(),
    occurred_at: new Date().toISOString(),
  });
  await deliveries(stray, orderingKey(stray));
  await eventually('its state says why', async () => {
    const { state, state_reason } = await service.message(stray.message_id);
    return state === 'cancelled' && state_reason === 'deleted';
  });
  expect(await service.message(stray.message_id)).toMatchObject({ attempt_count: 0, attempts: [] });
});

test('a record that is not a message is dead-lettered with its reason', async () => {
  const nonsense = { v: 1, nonsense: randomUUID() };
  await deliveries(nonsense, 'nonsense');
  const [deadLetter] = await eventually('the record among the dead letters', async () => {
    const deadLetters = await stack.takeDeadLetters(
      stack.outputs.queues.deliveriesDeadLetters,
      (body) => body === JSON.stringify(nonsense),
    );
    return deadLetters.length > 0 && deadLetters;
  });
  expect(deadLetter).toMatchObject({
    reason: 'unreadable',
    explanation: expect.stringContaining('message_id: '),
  });
});

test('unreadable and obsolete timers disappear without a trace', async () => {
  const { service_id } = keyOf('');
  const paused = await service.call('POST', `/subscriptions/${subscriptionId}/pause`);
  expect(paused.body.circuit).toMatchObject({ state: 'open' });
  const circuit = async () => {
    const read = subscriptionReader(stack.dynamodb, stack.outputs.tables.subscriptions);
    return (await read({ service_id, subscription_id: subscriptionId }))?.circuit;
  };
  const before = await circuit();
  const circuitTimer = { v: 1, kind: 'tick', service_id, subscription_id: subscriptionId };
  for (const body of [
    'nonsense',
    '{"v":1,"kind":"alarm"}',
    JSON.stringify(circuitTimer),
    JSON.stringify({ ...circuitTimer, tick: (before?.tick ?? 0) - 1 }),
    JSON.stringify({ ...circuitTimer, tick: (before?.tick ?? 0) + 1 }),
    JSON.stringify({ ...circuitTimer, subscription_id: 'sub_unknown', tick: 1 }),
    JSON.stringify({ kind: 'hint', ...signal(keyOf('pay-nowhere'), 'due') }),
  ]) {
    await timer(body);
  }
  await eventually(
    'the timers are gone',
    async () => (await stack.depth(stack.outputs.queues.retryTimers)) === 0,
    { deadlineMs: 20_000 },
  );
  expect(await circuit()).toEqual(before);
});

test('none of this is left in a queue, in flight or unexplained among the dead letters', async () => {
  const { deliveries, deliveriesDeadLetters, retryTimersDeadLetters } = stack.outputs.queues;
  // Another test file may kill a worker, whose records are invisible for 90 s.
  const patience = { deadlineMs: 150_000 };
  for (const queue of [deliveries, deliveriesDeadLetters, retryTimersDeadLetters]) {
    await eventually(`${queue} is empty`, async () => (await stack.depth(queue)) === 0, patience);
  }
}, 200_000);
