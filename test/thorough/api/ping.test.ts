import { receiver } from '../../support/deployed/own-receiver.ts';
import { service } from '../../support/deployed/own-service.ts';
import { eventually } from '../../support/eventually.ts';

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
