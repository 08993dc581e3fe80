import { happening, steps } from '../../support/deployed/happening.ts';
import { partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import { accepted, overtakers } from '../../support/network/scripted-partner.ts';

test('changed event types apply to events taken from then on', async () => {
  const { id } = await service.subscribe(partner.url('partner'), { event_types: ['card_payment_settled'] });
  await stack.publish(happening(service, { payment_id: 'pay-unwanted', event_type: 'CAPTURE_CONFIRMED' }));
  await stack.publish(happening(service, { payment_id: 'pay-settled', event_type: 'CAPTURE_SETTLED' }));
  await service.messages(id, (all) => all.length === 1);

  expect((await service.call('PATCH', `/subscriptions/${id}`, { event_types: ['*'] })).status).toBe(200);
  await stack.publish(happening(service, { payment_id: 'pay-wanted', event_type: 'CAPTURE_CONFIRMED' }));

  const [newest, oldest] = await service.messages(id, (all) => all.length === 2);
  expect([oldest?.payment_id, newest?.payment_id]).toEqual(['pay-settled', 'pay-wanted']);
});

test('waiting messages go to the changed callback URL', async () => {
  const { id } = await service.subscribe(partner.url('old'));
  const path = `/subscriptions/${id}`;
  await service.call('POST', `${path}/pause`);
  await stack.publish(...steps(service, ['pay-a'], 2));
  await service.messages(id, (all) => all.length === 2);

  await service.call('PATCH', path, { callback_url: partner.url('new') });
  await service.call('POST', `${path}/enable`);

  await service.messages(id, (all) => all.every(({ state }) => state === 'succeeded'));
  expect(partner.arrivals('old')).toEqual([]);
  expect(accepted(partner.arrivals('new'))).toEqual(['pay-a/1', 'pay-a/2']);
});

test('payments that wait for a rate limit are drained quickly once it is removed', async () => {
  const { id } = await service.subscribe(partner.url('partner'), { rate_limit: 1 });
  const payments = Array.from({ length: 20 }, (_, index) => `pay-${index}`);
  await stack.publish(...steps(service, payments, 2));
  await eventually('they wait for the limit', async () => {
    const { body } = await service.call('GET', `/subscriptions/${id}/messages?limit=100&state=parked`);
    return body.messages.length >= 30;
  });

  const { body } = await service.call('PATCH', `/subscriptions/${id}`, { rate_limit: null });
  expect(body).toMatchObject({ circuit: { state: 'draining' } });

  const all = await service.messages(
    id,
    (some) => some.length === 40 && some.every(({ state }) => state === 'succeeded'),
  );
  const starts = all.map(({ last_attempt_at = '' }) => Date.parse(last_attempt_at)).sort((a, b) => a - b);
  const fiveTook = starts.slice(4).map((fifth, index) => fifth - (starts[index] ?? 0));
  // At the limit, five take at least four seconds.
  expect(Math.min(...fiveTook)).toBeLessThan(3_000);
  expect(overtakers(partner.arrivals())).toEqual([]);
  expect(accepted(partner.arrivals())).toHaveLength(40);
});

test('a healthy subscription that gets a rate limit continues at that rate', async () => {
  const { id } = await service.subscribe(partner.url('partner'));
  await stack.publish(happening(service, { payment_id: 'pay-before' }));
  await service.messages(id, ([first]) => first?.state === 'succeeded');

  expect((await service.call('PATCH', `/subscriptions/${id}`, { rate_limit: 2 })).body).toMatchObject({
    rate_limit: 2,
    circuit: { state: 'closed' },
  });
  await stack.publish(
    ...Array.from({ length: 8 }, (_, index) => happening(service, { payment_id: `pay-${index}` })),
  );

  const all = await service.messages(
    id,
    (some) => some.length === 9 && some.every(({ state }) => state === 'succeeded'),
  );
  const starts = all.slice(0, 8).map(({ last_attempt_at = '' }) => Date.parse(last_attempt_at));
  expect(Math.max(...starts) - Math.min(...starts)).toBeGreaterThan(2_000);
});
