import { endpointHealthReplacer } from '../../../functions/adapters/dynamodb/subscriptions/endpoint-health-writer.ts';
import { subscriptionReader } from '../../../functions/adapters/dynamodb/subscriptions/subscription-reader.ts';
import { endpointHealthOf, nextEndpointHealth } from '../../../functions/core/circuit/endpoint-health.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { blockedOrderingKey } from '../../support/deployed/blocked-ordering-key.ts';
import { happening, steps } from '../../support/deployed/happening.ts';
import { partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { accepted, overtakers } from '../../support/network/scripted-partner.ts';

const TEN_MINUTES_MS = 600_000;

test('sweep finds an ordering key whose timer was never armed, and resumes it', async () => {
  const { id } = await service.subscribe(partner.url(service.serviceId));
  const forgottenAtMs = Date.now() - TEN_MINUTES_MS;
  await blockedOrderingKey(stack, {
    ...{ service, subscriptionId: id, paymentId: 'pay-forgotten' },
    ...{ blockedAtMs: forgottenAtMs, dueAtMs: forgottenAtMs },
    waiting: ['known', 'known'],
  });
  await stack.publish(happening(service, { payment_id: 'pay-forgotten', resource: { step: 3 } }));
  await service.messages(id, (messages) => messages.length === 3);
  expect(await stack.run('Sweep')).toEqual({ error: undefined });
  await service.messages(id, (messages) => messages.every(({ state }) => state === 'succeeded'));
  expect(accepted(partner.arrivals(service.serviceId))).toEqual([
    'pay-forgotten/1',
    'pay-forgotten/2',
    'pay-forgotten/3',
  ]);
});

test('sweep finds a circuit whose timer was never armed, and drains its backlog', async () => {
  const { id } = await service.subscribe(partner.url(service.serviceId));
  await service.call('POST', `/subscriptions/${id}/pause`);
  await stack.publish(...steps(service, ['pay-a', 'pay-b', 'pay-c'], 2));
  await service.messages(id, (messages) => messages.length === 6);

  // As if the API had crashed between writing and arming.
  const { subscriptions } = stack.outputs.tables;
  const { deliveryPolicy } = STAGES.local;
  const subscription = await subscriptionReader(
    stack.dynamodb,
    subscriptions,
  )({ service_id: service.serviceId, subscription_id: id });
  if (subscription === undefined) throw new Error('there is no such subscription');
  const before = endpointHealthOf(subscription);
  const enabled = nextEndpointHealth(
    before,
    { kind: 'enabled' },
    Date.now() - TEN_MINUTES_MS,
    deliveryPolicy,
  );
  const replace = endpointHealthReplacer(stack.dynamodb, {
    table: subscriptions,
    graceMs: deliveryPolicy.graceMs,
  });
  expect(await replace(subscription, before, enabled)).toBe(true);

  expect(await stack.run('Sweep')).toEqual({ error: undefined });
  await service.messages(id, (messages) => messages.every(({ state }) => state === 'succeeded'));
  expect(overtakers(partner.arrivals(service.serviceId))).toEqual([]);
});
