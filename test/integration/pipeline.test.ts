import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { happening as happeningOf } from '../support/deployed/happening.ts';
import { receiver } from '../support/deployed/own-receiver.ts';
import { service } from '../support/deployed/own-service.ts';
import { stack } from '../support/deployed/shared-stack.ts';
import { eventually } from '../support/eventually.ts';
import { loopback } from '../support/network/dead-address.ts';

function happening(over: Record<string, unknown> = {}): Record<string, unknown> {
  return happeningOf(service, over);
}

test('a payment event becomes a webhook that the public library of Standard Webhooks verifies', async () => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const { url, stop } = await loopback(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.end('{"thanks":"é"}');
  });
  try {
    const { id, secret } = await service.subscribe(`${url}/hooks?x=1`);
    const event = happening({ resource: { amount: 1_000, description: 'a £10 payment 💷' } });
    await stack.publish(event);

    const [message] = await service.messages(id, ([first]) => first?.state === 'succeeded');
    expect(message).not.toHaveProperty('body');
    const [webhook] = received;
    expect(received).toHaveLength(1);
    const headers = webhook?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(webhook?.body ?? '', headers)).toEqual({
      webhook_message_id: message?.message_id,
      api_version: 1,
      created_date: event.occurred_at,
      resource_id: event.resource_id,
      resource_type: 'payment',
      event_type: 'card_payment_captured',
      resource: { amount: 1_000, description: 'a £10 payment 💷' },
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': message?.message_id,
      'webhook-attempt': '1',
    });

    const whole = await service.message(message?.message_id ?? '');
    expect(whole).toMatchObject({
      body: webhook?.body,
      state: 'succeeded',
      attempt_count: 1,
      attempts: [{ attempt: 1, status_code: 200, response_body: '{"thanks":"é"}' }],
    });
    expect(whole.time_to_send_ms).toBeGreaterThanOrEqual(0);
  } finally {
    await stop();
  }
});

test('each subscription that wants an event gets it, and no other does', async () => {
  const all = await service.subscribe(await receiver.endpoint(`${service.serviceId}-all`));
  const captured = await service.subscribe(await receiver.endpoint(`${service.serviceId}-captured`), {
    event_types: ['card_payment_capt*'],
  });
  const live = await service.subscribe(await receiver.endpoint(`${service.serviceId}-live`), { live: true });
  await stack.publish(
    happening({ event_type: 'PAYMENT_STARTED' }),
    happening({ event_type: 'CAPTURE_CONFIRMED' }),
  );

  const typesOf = (messages: { event_type: string }[]) => messages.map(({ event_type }) => event_type).sort();
  const toAll = await service.messages(all.id, (messages) => messages.length === 2);
  expect(typesOf(toAll)).toEqual(['card_payment_captured', 'card_payment_started']);
  const toCaptured = await service.messages(captured.id, (messages) => messages.length === 1);
  expect(typesOf(toCaptured)).toEqual(['card_payment_captured']);
  expect(await service.messages(live.id, () => true)).toEqual([]);
});

test('events of a payment arrive in order, even when the receiver refuses some at first', async () => {
  const name = `${service.serviceId}-shaky`;
  const { id, secret } = await service.subscribe(await receiver.endpoint(name));
  const outage_until = new Date(Date.now() + 600_000).toISOString();
  await receiver.endpoint(name, { outage_until, failure_status: 503, secret });
  const payments = ['a', 'b', 'c'].map((payment) => `pay-${service.serviceId.slice(4, 12)}-${payment}`);
  const life = ['PAYMENT_STARTED', 'USER_APPROVED_FOR_CAPTURE', 'CAPTURE_CONFIRMED', 'CAPTURE_SETTLED'];
  for (const event_type of life) {
    await stack.publish(...payments.map((payment_id) => happening({ payment_id, event_type })));
  }

  // Not by chance: after three failures in a row a retry would come too late for any test.
  await service.messages(
    id,
    (messages) => messages.length === 12 && messages.filter(({ state }) => state === 'retrying').length === 3,
  );
  await receiver.endpoint(name, { secret });
  await service.messages(
    id,
    (messages) => messages.length === 12 && messages.every(({ state }) => state === 'succeeded'),
  );
  const receipts = await receiver.receipts(name);
  expect(new Set(receipts.map(({ signature }) => signature))).toEqual(new Set(['valid']));
  for (const payment of payments) {
    const accepted = receipts
      .filter(({ resource_id, status }) => resource_id === payment && status === 200)
      .map(({ event_type }) => event_type);
    expect(accepted).toEqual([
      'card_payment_started',
      'card_payment_succeeded',
      'card_payment_captured',
      'card_payment_settled',
    ]);
  }
});

test('a failed attempt is recorded with its class and answer, followed by the retry', async () => {
  const name = `${service.serviceId}-down`;
  const url = await receiver.endpoint(name, {
    outage_until: new Date(Date.now() + 600_000).toISOString(),
    failure_status: 503,
  });
  const { id } = await service.subscribe(url);
  const payment_id = `pay-${service.serviceId.slice(4, 12)}-x`;
  await stack.publish(happening({ payment_id }), happening({ payment_id, event_type: 'CAPTURE_SETTLED' }));
  const [behind, head] = await service.messages(id, (messages) => messages.length === 2);
  expect(head).toMatchObject({ state: 'retrying', last_status_code: 503, last_failure_class: 'http_status' });
  expect(behind).toMatchObject({ state: 'parked', state_reason: 'behind_earlier', attempt_count: 0 });

  await receiver.endpoint(name);
  await service.messages(id, (messages) => messages.every(({ state }) => state === 'succeeded'));
  const { attempts } = await service.message(head?.message_id ?? '');
  expect(attempts.length).toBeGreaterThanOrEqual(2);
  expect(attempts[0]).toMatchObject({
    attempt: 1,
    status_code: 503,
    failure_class: 'http_status',
    failure_reason: expect.stringContaining('503'),
  });
  expect(attempts.at(-1)).toMatchObject({ attempt: attempts.length, status_code: 200 });
  expect(attempts.some((attempt) => attempt.earlier_may_be_missing)).toBe(false);
  const order = (await receiver.receipts(name)).filter(({ status }) => status === 200);
  expect(order.map(({ event_type }) => event_type)).toEqual([
    'card_payment_captured',
    'card_payment_settled',
  ]);
});

test('an event that is published twice is delivered once', async () => {
  const name = `${service.serviceId}-once`;
  const { id } = await service.subscribe(await receiver.endpoint(name));
  const event = happening();
  await stack.publish(event, event, { ...event, resource: { amount: 2_000 } });
  const last = happening({ payment_id: event.payment_id, event_type: 'CAPTURE_SETTLED' });
  await stack.publish(last);
  await service.messages(id, (messages) => messages.length === 2);
  const receipts = await receiver.receipts(name);
  expect(receipts.map(({ event_type }) => event_type)).toEqual([
    'card_payment_captured',
    'card_payment_settled',
  ]);
});

test('the history recognises a duplicate of a long past event', async () => {
  const name = `${service.serviceId}-old`;
  const { id } = await service.subscribe(await receiver.endpoint(name));
  const event = happening({ occurred_at: new Date(Date.now() - 3_600_000).toISOString() });
  await stack.publish(event);
  await service.messages(id, (messages) => messages[0]?.state === 'succeeded');
  const { attempt_count } = await (async () => {
    await stack.publish(
      { ...event, resource: { amount: 2_000 } },
      happening({ payment_id: event.payment_id }),
    );
    const messages = await service.messages(id, (all) => all.length === 2);
    return messages.find(({ event_id }) => event_id === event.event_id) ?? { attempt_count: 0 };
  })();
  expect(attempt_count).toBe(1);
  expect(await receiver.receipts(name)).toHaveLength(2);
});

test('a large resource is delivered and shown in full', async () => {
  const name = `${service.serviceId}-large`;
  const { id } = await service.subscribe(await receiver.endpoint(name));
  const note = 'é'.repeat(60_000);
  await stack.publish(happening({ resource: { note } }));
  const [message] = await service.messages(id, ([first]) => first?.state === 'succeeded');
  const { body = '' } = await service.message(message?.message_id ?? '');
  expect(JSON.parse(body).resource).toEqual({ note });
});

test('messages that wait when their subscription is deleted are cancelled, not sent', async () => {
  const name = `${service.serviceId}-deleted`;
  const outage = { outage_until: new Date(Date.now() + 600_000).toISOString(), failure_status: 500 };
  const { id } = await service.subscribe(await receiver.endpoint(name, outage));
  await stack.publish(happening());
  const [message] = await service.messages(id, ([first]) => first?.state === 'retrying');
  expect((await service.call('DELETE', `/subscriptions/${id}`)).status).toBe(204);
  await eventually('the message is cancelled', async () => {
    const { state, state_reason } = await service.message(message?.message_id ?? '');
    return state === 'cancelled' && state_reason === 'deleted';
  });
});
