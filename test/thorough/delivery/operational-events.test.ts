import type { OperationalEvent } from '../../../functions/core/operational-events/operational-event.ts';
import { happening } from '../../support/deployed/happening.ts';
import { operationalEventsOf } from '../../support/deployed/operational-events-of.ts';
import { onArrival, partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { ACCEPTED, accepted, overtakers } from '../../support/network/scripted-partner.ts';

describe('operational events', () => {
  let received: () => Promise<readonly OperationalEvent[]>;

  beforeEach(async () => {
    received = await operationalEventsOf(stack, service);
  });

  /** Waits for an event of this type. */
  function tells<Type extends OperationalEvent['type']>(type: Type) {
    return eventually(`${type} is received`, async () =>
      (await received()).find(
        (event): event is Extract<OperationalEvent, { type: Type }> => event.type === type,
      ),
    );
  }

  const payments = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      happening(service, { payment_id: `pay-${service.serviceId.slice(4, 12)}-${index}` }),
    );

  test('a failing endpoint opens its circuit, and a recovered one with an empty backlog closes it: one event each', async () => {
    const { id } = await service.subscribe(partner.url('failing'));
    onArrival(() => ({ status: 503 }));
    await stack.publish(...payments(22));
    const opened = await tells('circuit.opened');
    expect(opened).toMatchObject({
      v: 1,
      service_id: service.serviceId,
      subscription_id: id,
      reason: 'payments_failed',
    });
    expect(Date.parse(opened.probe_at ?? '')).toBeGreaterThan(Date.parse(opened.failing_since ?? ''));

    onArrival(() => ACCEPTED);
    const closed = await tells('circuit.closed');
    expect(closed).toMatchObject({ subscription_id: id, draining_since: expect.any(String) });
    expect((await received()).map(({ type }) => type)).toEqual(['circuit.opened', 'circuit.closed']);
    expect(JSON.stringify(await received())).not.toContain('127.0.0.1');
  });

  /** The local stage's threshold is a hundred, counted again after five seconds (payhooks.config.ts). */
  test('one event reports that many messages wait, and one that they are gone', async () => {
    const { id } = await service.subscribe(partner.url('resting'));
    await service.call('POST', `/subscriptions/${id}/pause`);
    await stack.publish(...payments(100));
    expect(await tells('messages.waiting')).toMatchObject({ subscription_id: id, waiting: 100 });

    await service.call('POST', `/subscriptions/${id}/enable`);
    const { waiting } = await tells('messages.waiting.eased');
    expect(waiting).toBeLessThanOrEqual(50);
    const types = (await received()).map(({ type }) => type).filter((type) => type.startsWith('messages'));
    expect(types).toEqual(['messages.waiting', 'messages.waiting.eased']);
  });
});

describe('rate limit', () => {
  const LIMIT = 3;

  test('a subscription with a rate limit gets this many attempts a second, all messages, and each payment in order; the limit can be removed', async () => {
    const { id } = await service.subscribe(partner.url('partner'), { rate_limit: LIMIT });
    const payments = Array.from(
      { length: 8 },
      (_, index) => `pay-${service.serviceId.slice(4, 12)}-${index}`,
    );
    for (const step of [1, 2]) {
      await stack.publish(
        ...payments.map((payment_id) => happening(service, { payment_id, resource: { step } })),
      );
    }
    const messages = await service.messages(
      id,
      (some) => some.length === 16 && some.every(({ state }) => state === 'succeeded'),
    );
    expect(accepted(partner.arrivals())).toHaveLength(16);
    expect(overtakers(partner.arrivals())).toEqual([]);

    const starts = messages
      .map(({ last_attempt_at = '' }) => Date.parse(last_attempt_at))
      .sort((one, other) => one - other);
    // Circuit timers are about a second apart; the attempts that they signal may start a little later.
    for (const start of starts) {
      expect(starts.filter((one) => one >= start && one < start + 3_000).length).toBeLessThanOrEqual(
        4 * LIMIT,
      );
    }
    expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(3_000);
    expect(messages.every(({ held_ms = 0 }) => held_ms >= 0)).toBe(true);
    expect((await service.call('GET', `/subscriptions/${id}`)).body).toMatchObject({
      rate_limit: LIMIT,
      circuit: { state: 'closed' },
    });
    const { body } = await service.call('PATCH', `/subscriptions/${id}`, { rate_limit: null });
    expect(body).not.toHaveProperty('rate_limit');
    expect((await service.call('GET', `/subscriptions/${id}`)).body).not.toHaveProperty('rate_limit');
  });
});
