import { happening } from '../../support/deployed/happening.ts';
import { partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { accepted, overtakers } from '../../support/network/scripted-partner.ts';

const LIMIT = 3;

test('a subscription with a rate limit gets this many attempts a second, all messages, and each payment in order; the limit can be removed', async () => {
  const { id } = await service.subscribe(partner.url('partner'), { rate_limit: LIMIT });
  const payments = Array.from({ length: 8 }, (_, index) => `pay-${service.serviceId.slice(4, 12)}-${index}`);
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
    expect(starts.filter((one) => one >= start && one < start + 3_000).length).toBeLessThanOrEqual(4 * LIMIT);
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
