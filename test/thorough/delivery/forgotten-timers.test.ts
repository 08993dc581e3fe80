import { endpointHealthReplacer } from '../../../functions/adapters/dynamodb/subscriptions/endpoint-health-writer.ts';
import { subscriptionReader } from '../../../functions/adapters/dynamodb/subscriptions/subscription-reader.ts';
import { endpointHealthOf, nextEndpointHealth } from '../../../functions/core/circuit/endpoint-health.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { blockedOrderingKey } from '../../support/deployed/blocked-ordering-key.ts';
import type { Service } from '../../support/deployed/deployed-stack.ts';
import { happening, steps } from '../../support/deployed/happening.ts';
import { killWorker } from '../../support/deployed/logged.ts';
import { partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import {
  ACCEPTED,
  type Arrival,
  accepted,
  barrier,
  overtakers,
  type ScriptedPartner,
  scriptedPartner,
} from '../../support/network/scripted-partner.ts';

describe('forgotten timers', () => {
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
});

describe('lost worker', () => {
  /** The visibility timeout of the records that it had received. */
  const VISIBILITY_MS = 90_000;
  const STEPS = 3;
  const QUICK = ['pay-quick-1', 'pay-quick-2', 'pay-quick-3'];
  const HELD = ['pay-held-1', 'pay-held-2', 'pay-held-3'];

  let service: Service;
  let partner: ScriptedPartner;
  let subscriptionId: string;
  let lost: readonly Arrival[];

  beforeAll(async () => {
    service = await stack.newService();
    const door = barrier();
    partner = await scriptedPartner(async ({ payment_id }) => {
      if (HELD.includes(payment_id)) await door.opened;
      return ACCEPTED;
    });
    const { id } = await service.subscribe(partner.url('partner'), { timeout_ms: 30_000 });
    subscriptionId = id;
    await stack.publish(...steps(service, [...QUICK, ...HELD], STEPS));

    const held = () => partner.arrivals().filter(({ payment_id }) => HELD.includes(payment_id));
    await eventually('the quick ones are recorded, the others still held', async () => {
      const { body } = await service.call('GET', `/subscriptions/${id}/messages?state=succeeded`);
      return body.messages.length === QUICK.length * STEPS && held().length === HELD.length;
    });
    await killWorker('Deliver', held()[0]?.senderPort ?? 0);
    await eventually('its requests are cut off', async () => held().some(({ senderLeft }) => senderLeft));
    lost = held().filter(({ senderLeft }) => senderLeft);
    door.open();
  });

  afterAll(() => partner?.stop());

  test(
    'a worker that dies in the middle of a batch loses nothing: what it may have sent is sent again, in order, and marked as a possible duplicate',
    async () => {
      const messages = await eventually(
        'everything is delivered',
        async () => {
          const all = await service.messages(subscriptionId, () => true);
          return (
            all.length === 6 * STEPS && all.every(({ state }) => state === 'succeeded') && Array.from(all)
          );
        },
        { deadlineMs: VISIBILITY_MS + 30_000, everyMs: 1_000 },
      );
      const arrivals = partner.arrivals();
      expect(overtakers(arrivals)).toEqual([]);
      // At most its requests in flight are repeated.
      expect(accepted(arrivals).sort()).toEqual(
        [...QUICK, ...HELD].flatMap((payment) => [`${payment}/1`, `${payment}/2`, `${payment}/3`]).sort(),
      );
      expect(lost.map(({ step }) => step)).toEqual(lost.map(() => 1));
      expect(arrivals).toHaveLength(6 * STEPS + lost.length);

      for (const { message_id } of lost) {
        expect(messages.map((message) => message.message_id)).toContain(message_id);
        expect((await service.message(message_id)).attempts).toMatchObject([
          { attempt: 1, status_code: 200, earlier_may_be_missing: true },
        ]);
      }
      const [quick] = arrivals.filter(({ payment_id }) => QUICK.includes(payment_id));
      const [attempt] = (await service.message(quick?.message_id ?? '')).attempts;
      expect(attempt).not.toHaveProperty('earlier_may_be_missing');
    },
    VISIBILITY_MS + 60_000,
  );
});
