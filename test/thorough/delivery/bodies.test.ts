import { happening } from '../../support/deployed/happening.ts';
import { onArrival, partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { verifies } from '../../support/deployed/signed-subscriptions.ts';
import { eventually } from '../../support/eventually.ts';
import type { RawServer } from '../../support/network/raw-server.ts';
import { ACCEPTED } from '../../support/network/scripted-partner.ts';

const servers: RawServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

test('whatever a resource has, order of members, digits and escapes are kept in the body, in its retry and on record', async () => {
  const resource =
    '{"z":1,"a":{"y":10.50,"x":[1E2,-0]},"10":1,"9":2,"amount":999999999999999.99,"e":"\\u00e9\\/"}';
  onArrival(({ attempt }) => (attempt === 1 ? { status: 500 } : ACCEPTED));
  const { id } = await service.subscribe(partner.url('verbatim'));
  const event = JSON.stringify(happening(service, { resource: { here: 1 } }));
  await stack.publish(event.replace('{"here":1}', resource.replaceAll(',', ' , ')));
  const [message] = await service.messages(id, ([first]) => first?.state === 'succeeded');
  const { body } = await service.message(message?.message_id ?? '');
  const bodies = partner.arrivals('verbatim').map((arrival) => arrival.body);
  expect(bodies).toHaveLength(2);
  expect(bodies).toEqual([body, body]);
  expect(body).toContain(`"resource":${resource}`);
});

test('a webhook has these headers and no others, and its body is the event’s, byte for byte', async () => {
  const { id, secret } = await service.subscribe(partner.url('exact'));
  const event = happening(service, { resource: { text: 'a £10 payment' } });
  await stack.publish(event);
  const [message] = await service.messages(id, ([first]) => first?.state === 'succeeded');
  const [webhook] = partner.arrivals('exact');
  const message_id = message?.message_id;
  const created = `"created_date":"${event.occurred_at}"`;
  expect(webhook?.body).toBe(
    `{"webhook_message_id":"${message_id}","api_version":1,${created},"resource_id":"${event.resource_id}","resource_type":"payment","event_type":"card_payment_captured","resource":{"text":"a £10 payment"}}`,
  );
  expect(webhook?.headers).toEqual({
    host: new URL(partner.url('exact')).host,
    connection: 'keep-alive',
    'accept-encoding': 'identity',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(webhook?.body ?? '')),
    'user-agent': 'Payhooks/1 (payment webhooks)',
    'webhook-id': message_id,
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    'webhook-attempt': '1',
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
  });
  expect(verifies(webhook!, secret)).toBe(true);
});

test('an event over 512 KB, or with a resource over 256 KB, is dead-lettered and never sent, and what follows it is', async () => {
  const { id } = await service.subscribe(partner.url('large'));
  const payment_id = `pay-large-${service.serviceId}`;
  const sized = (bytes: number, over = {}) =>
    happening(service, { payment_id, resource: { text: 'x'.repeat(bytes) }, ...over });
  await stack.publish(
    sized(1, { text: 'x'.repeat(525_000) }),
    sized(262_200),
    sized(262_100, { resource_id: 'largest' }),
  );
  const [largest] = await service.messages(id, ([message]) => message?.state === 'succeeded');
  expect(largest).toMatchObject({ resource_id: 'largest', attempt_count: 1 });
  const deadLetters: (string | undefined)[] = [];
  await eventually('both are dead-lettered', async () => {
    const some = await stack.takeDeadLetters(stack.outputs.queues.eventsDeadLetters, (body) =>
      body.includes(payment_id),
    );
    deadLetters.push(...some.map(({ reason, explanation }) => `${reason}: ${explanation?.split(':')[0]}`));
    return deadLetters.length >= 2;
  });
  expect(deadLetters.sort()).toEqual(['too_large: detail', 'too_large: resource']);
  expect(partner.arrivals('large')).toHaveLength(1);
});
