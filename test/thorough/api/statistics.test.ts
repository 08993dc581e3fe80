import type { Settings } from '../../../functions/load-lab/receiver/store/settings.ts';
import { happening } from '../../support/deployed/happening.ts';
import { receiver } from '../../support/deployed/own-receiver.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';

const REFUSING: Partial<Settings> = { failure_rate: 1, failure_status: 500 };

type Period = Record<'delivered' | 'failed_attempts' | 'exhausted' | 'cancelled', number>;

/** The totals of the last day or two, and what waits. */
async function figuresOf(id: string, by = 'hour') {
  const { status, headers, body } = await service.call('GET', `/subscriptions/${id}/statistics?by=${by}`);
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('private, max-age=10');
  const sum = (name: keyof Period) =>
    body.periods.reduce((total: number, period: Period) => total + period[name], 0);
  return {
    delivered: sum('delivered'),
    failed_attempts: sum('failed_attempts'),
    exhausted: sum('exhausted'),
    cancelled: sum('cancelled'),
    waiting: body.waiting,
  };
}

test('deliveries, failures and waiting messages are counted; test pings are not', async () => {
  const { id } = await service.subscribe(await receiver.endpoint('counted'));
  const payment_id = `pay-${service.serviceId.slice(4, 12)}-fails`;
  await receiver.endpoint('counted', { ...REFUSING, failure_rate: 0, failing_resource_id: payment_id });
  expect(await service.call('POST', `/subscriptions/${id}/ping`)).toMatchObject({ status: 202 });
  await stack.publish(
    happening(service),
    happening(service),
    happening(service, { payment_id, resource: { step: 1 } }),
    happening(service, { payment_id, resource: { step: 2 } }),
  );
  const failing = await eventually('the second failed attempt', async () => {
    const { body } = await service.call('GET', `/subscriptions/${id}/messages?payment_id=${payment_id}`);
    return body.messages.find(({ attempt_count }: { attempt_count: number }) => attempt_count > 1);
  });

  const figures = await eventually('the figures', async () => {
    const now = await figuresOf(id);
    return now.failed_attempts >= 2 && now.waiting.count === 2 && now;
  });
  expect(figures).toMatchObject({
    delivered: 2,
    exhausted: 0,
    cancelled: 0,
    waiting: { is_more: false, oldest_admitted_at: failing.admitted_at },
  });

  await receiver.endpoint('counted', {});
  await service.messages(
    id,
    (messages) => messages.length === 5 && messages.every(({ state }) => state === 'succeeded'),
  );
  const ended = await eventually('the figures of the end', async () => {
    const now = await figuresOf(id, 'day');
    return now.delivered === 4 && now;
  });
  expect(ended).toMatchObject({ exhausted: 0, cancelled: 0 });
  expect((await figuresOf(id)).waiting.count).toBeLessThanOrEqual(2);
});

/** Pings a subscription and returns the message once it is on record. */
async function pinged(id: string, wanted?: object) {
  const { status, headers, body } = await service.call('POST', `/subscriptions/${id}/ping`, wanted);
  expect({ status, body }).toMatchObject({ status: 202, body: { subscription_id: id } });
  expect(headers.get('location')).toBe(`/v1/messages/${body.message_id}`);
  return eventually('the ping in the history', async () => {
    const message = await service.message(body.message_id);
    return message.state !== undefined && message;
  });
}

test('a ping reaches the endpoint of a paused subscription, correctly signed, and is listed as a ping', async () => {
  const { id, secret } = await service.subscribe(await receiver.endpoint('paused'));
  await receiver.endpoint('paused', { secret });
  await service.call('POST', `/subscriptions/${id}/pause`);
  const { message_id, body, ...message } = await pinged(id);

  expect(message).toMatchObject({
    state: 'succeeded',
    event_type: 'ping',
    attempts: [{ attempt: 1, status_code: 200 }],
  });
  expect(JSON.parse(body ?? '')).toMatchObject({ webhook_message_id: message_id, event_type: 'ping' });
  expect(await receiver.receipts('paused')).toMatchObject([
    { webhook_id: message_id, event_type: 'ping', signature: 'valid' },
  ]);
  const listed = await service.call('GET', `/subscriptions/${id}/messages?event_type=ping`);
  expect(listed.body.messages).toMatchObject([{ message_id, state: 'succeeded' }]);
  expect(await service.subscription(id)).toMatchObject({ state: 'paused' });
});

test('a sample of an event type is marked wherever it goes, and counts nowhere as an event of a payment', async () => {
  const { id, secret } = await service.subscribe(await receiver.endpoint('sample'));
  await receiver.endpoint('sample', { secret });
  const { message_id, body, ...message } = await pinged(id, { sample_of: 'card_payment_captured' });
  const event_type = 'sample.card_payment_captured';

  expect(message).toMatchObject({ state: 'succeeded', event_type, resource_type: 'sample' });
  expect(JSON.parse(body ?? '')).toMatchObject({
    event_type,
    resource_type: 'sample',
    resource_id: expect.stringMatching(/^sample-/),
    resource: { amount: 1_000, reference: 'sample' },
  });
  expect(await receiver.receipts('sample')).toMatchObject([
    { webhook_id: message_id, event_type, signature: 'valid' },
  ]);
  const listed = async (type: string) =>
    (await service.call('GET', `/subscriptions/${id}/messages?event_type=${type}`)).body.messages;
  expect(await listed(event_type)).toMatchObject([{ message_id }]);
  expect(await listed('card_payment_captured')).toEqual([]);
});
