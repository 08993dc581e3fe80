import type { Settings } from '../../../functions/load-lab/receiver/store/settings.ts';
import { happening } from '../../support/deployed/happening.ts';
import { receiver } from '../../support/deployed/own-receiver.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';

const REFUSING: Partial<Settings> = { failure_rate: 1, failure_status: 503 };

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

test('failed pings are recorded with one attempt each and open no circuit; pings pass an open circuit', async () => {
  const { id } = await service.subscribe(await receiver.endpoint('refusing', REFUSING));
  for (let count = 0; count < 4; count += 1) {
    expect(await pinged(id)).toMatchObject({
      state: 'exhausted',
      state_reason: 'schedule',
      attempt_count: 1,
      last_status_code: 503,
    });
  }
  expect((await service.subscription(id)).circuit.state).toBe('closed');

  // More failures than open a circuit.
  await stack.publish(...Array.from({ length: 22 }, () => happening(service)));
  await eventually(
    'an open circuit',
    async () => (await service.subscription(id)).circuit.state !== 'closed',
  );
  expect(await pinged(id)).toMatchObject({ state: 'exhausted', attempt_count: 1, last_status_code: 503 });
  expect((await service.subscription(id)).circuit.state).not.toBe('closed');
});

test('more than five pings a minute are refused with the time to wait, and not sent', async () => {
  const { id } = await service.subscribe(await receiver.endpoint('often'));
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => service.call('POST', `/subscriptions/${id}/ping`)),
  );
  const refused = answers.filter(({ status }) => status === 429);
  // Five, and five more if a new minute began in between.
  expect(refused.length).toBeGreaterThanOrEqual(2);
  for (const { headers, body } of refused) {
    expect(body.type).toBe('urn:payhooks:problem:too-many-pings');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const { length } = answers.filter(({ status }) => status === 202);
  expect(length + refused.length).toBe(12);
  await service.messages(id, (all) => all.filter(({ state }) => state === 'succeeded').length === length);
});

test('a ping is neither resent nor recovered', async () => {
  const { id } = await service.subscribe(await receiver.endpoint('once', REFUSING));
  const { message_id } = await pinged(id);
  expect(await service.call('POST', `/messages/${message_id}/resend`)).toMatchObject({
    status: 409,
    body: { type: 'urn:payhooks:problem:ping-not-resent' },
  });
  const since = new Date(Date.now() - 600_000).toISOString();
  const started = await service.call('POST', `/subscriptions/${id}/recoveries`, { since });
  const { recovery_id } = started.body;
  const ended = await eventually('the end of the recovery', async () => {
    const { body } = await service.call('GET', `/subscriptions/${id}/recoveries/${recovery_id}`);
    return body.state !== 'running' && body;
  });
  expect(ended).toMatchObject({ state: 'done', examined_count: 1, resent_count: 0 });
  expect(await receiver.receipts('once')).toHaveLength(1);
});
