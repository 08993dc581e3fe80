import { happening, steps } from '../../support/deployed/happening.ts';
import { operationalEventsOf } from '../../support/deployed/operational-events-of.ts';
import { onArrival, partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { verifies } from '../../support/deployed/signed-subscriptions.ts';
import { eventually } from '../../support/eventually.ts';
import { type RawServer, rawServer } from '../../support/network/raw-server.ts';
import { ACCEPTED, accepted, type Reply } from '../../support/network/scripted-partner.ts';

const ABORT: Reply = { status: 422, headers: { 'webhook-delivery': 'abort-message' } };

const servers: RawServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

test('of three endpoints one fails and recovers, and each gets the message once', async () => {
  onArrival(({ endpoint, attempt }) =>
    endpoint.startsWith('failing') && attempt === 1 ? { status: 503 } : ACCEPTED,
  );
  const names = ['first', 'failing', 'third'];
  const ids = await Promise.all(names.map(async (name) => (await service.subscribe(partner.url(name))).id));
  await stack.publish(happening(service));
  for (const id of ids) await service.messages(id, ([message]) => message?.state === 'succeeded');
  expect(names.map((name) => partner.arrivals(name).map(({ status }) => status))).toEqual([
    [200],
    [503, 200],
    [200],
  ]);
  expect(
    new Set(names.flatMap((name) => partner.arrivals(name).map(({ message_id }) => message_id))).size,
  ).toBe(3);
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

test('of an answer 4 KB are kept verbatim, and what is not UTF-8 becomes a safe string', async () => {
  const answers: readonly (readonly [Buffer, string])[] = [
    [Buffer.from('{"taken":true,"by":"Zoë 💷"}'), '{"taken":true,"by":"Zoë 💷"}'],
    [Buffer.alloc(4_096, 'x'), 'x'.repeat(4_096)],
    [Buffer.alloc(300_000, 'x'), 'x'.repeat(4_096)],
    [Buffer.from([0x61, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x62]), 'a\ufffd\ufffd(\ufffd\ufffd\ufffdb'],
    [Buffer.concat([Buffer.alloc(4_095, 'x'), Buffer.from('é')]), 'x'.repeat(4_095)],
    [Buffer.alloc(0), ''],
  ];
  const ids = await Promise.all(
    answers.map(async ([body]) => {
      const server = await rawServer((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`);
        socket.write(body);
      });
      servers.push(server);
      return (await service.subscribe(`http://127.0.0.1:${server.port}/`)).id;
    }),
  );
  await stack.publish(happening(service));
  for (const [index, id] of ids.entries()) {
    const [message] = await service.messages(id, ([first]) => first?.state === 'succeeded');
    const { attempts } = await service.message(message?.message_id ?? '');
    expect(attempts).toMatchObject([{ attempt: 1, status_code: 200 }]);
    expect(attempts[0]?.response_body ?? '').toBe(answers[index]![1]);
  }
});

test('a thousand events of twenty publishers at once are accepted once each, retries included, and no publisher waits for the others', async () => {
  const PUBLISHERS = 20;
  const EACH = 50;
  // The first event of each fifth payment is refused at first.
  onArrival(({ payment_id, attempt }) =>
    payment_id.endsWith('0') && attempt === 1 ? { status: 503 } : ACCEPTED,
  );
  const { id } = await service.subscribe(partner.url('many'));
  const publisher = (name: number) =>
    stack.publish(
      ...Array.from({ length: EACH }, (_, index) =>
        happening(service, { payment_id: `pay-${name}-${index % 5}`, resource: { step: 0 } }),
      ),
    );
  await Promise.all(Array.from({ length: PUBLISHERS }, (_, name) => publisher(name)));
  await eventually(
    'all are accepted',
    async () => accepted(partner.arrivals('many')).length >= PUBLISHERS * EACH,
  );
  await eventually('none waits', async () => {
    const waiting = await Promise.all(
      ['retrying', 'parked'].map((state) =>
        service.call('GET', `/subscriptions/${id}/messages?limit=1&state=${state}`),
      ),
    );
    return waiting.every(({ body }) => body.messages.length === 0);
  });
  const taken = partner.arrivals('many').filter(({ status }) => status === 200);
  const publisherOf = ({ payment_id }: (typeof taken)[number]) => payment_id.split('-')[1];
  expect(new Set(taken.slice(0, taken.length / 2).map(publisherOf)).size).toBe(PUBLISHERS);
  expect(new Set(taken.map(({ message_id }) => message_id)).size).toBe(PUBLISHERS * EACH);
  expect(taken).toHaveLength(PUBLISHERS * EACH);
});

test('a success between two runs of failures keeps the circuit closed, and nobody is alerted', async () => {
  onArrival(({ payment_id }) => (payment_id.startsWith('bad') ? ABORT : ACCEPTED));
  const told = await operationalEventsOf(stack, service);
  const { id } = await service.subscribe(partner.url('sporadic'));
  const ended = (count: number) =>
    service.messages(
      id,
      (all) =>
        all.length === count && all.every(({ state }) => state === 'exhausted' || state === 'succeeded'),
    );
  const bad = (from: number) =>
    steps(
      service,
      Array.from({ length: 14 }, (_, index) => `bad-${from + index}`),
      1,
    );
  await stack.publish(...bad(0));
  await ended(14);
  await stack.publish(...steps(service, ['good'], 1));
  await ended(15);
  await stack.publish(...bad(14));
  await ended(29);
  const { state, circuit } = await service.subscription(id);
  expect([state, circuit.state]).toEqual(['active', 'closed']);
  const types = await eventually('each message that was given up is told of', async () => {
    const events = await told();
    return new Set(events.map((event) => event.id)).size >= 28 && events.map(({ type }) => type);
  });
  expect(new Set(types)).toEqual(new Set(['message.exhausted']));
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

test('what is published after an endpoint was deleted is sent to the others only', async () => {
  const { id: kept } = await service.subscribe(partner.url('kept'));
  const { id: deleted } = await service.subscribe(partner.url('deleted'));
  await stack.publish(happening(service));
  await service.messages(deleted, ([message]) => message?.state === 'succeeded');
  expect((await service.call('DELETE', `/subscriptions/${deleted}`)).status).toBe(204);

  await stack.publish(happening(service, { payment_id: 'pay-after' }));
  await service.messages(kept, (all) => all.length === 2 && all.every(({ state }) => state === 'succeeded'));
  await eventually('nothing of it waits', async () => {
    const { body } = await service.call('GET', '/messages?payment_id=pay-after');
    return body.messages.every(
      ({ subscription_id, state }: { subscription_id: string; state: string }) =>
        subscription_id === kept || state === 'cancelled',
    );
  });
  expect(partner.arrivals('deleted')).toHaveLength(1);
});
