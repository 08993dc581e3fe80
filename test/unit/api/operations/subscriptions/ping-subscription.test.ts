import type { ApiPorts } from '../../../../../functions/api/api-request.ts';
import { type Message, messageSchema } from '../../../../../functions/core/message/message.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { apiOver, registryOfShop } from '../../builders.ts';

const path = '/v1/subscriptions/sub_1/ping';

async function apiWith(over: Parameters<typeof registryOfShop>[0] = {}, ports: Partial<ApiPorts> = {}) {
  const sent: Message[] = [];
  const api = apiOver({
    subscriptions: await registryOfShop(over),
    send: async (message) => {
      sent.push(message);
      return true;
    },
    ...ports,
  });
  return { api, sent };
}

test('a ping is queued like any message, and the answer says where to find it', async () => {
  const { api, sent } = await apiWith({ live: true });
  const { status, headers, body } = await api({ method: 'POST', path });
  expect(status).toBe(202);
  expect(sent.map((message) => messageSchema.parse(message))).toMatchObject([
    {
      ping: true,
      event_type: 'ping',
      service_id: 'shop',
      subscription_id: 'sub_1',
      live: true,
      admitted_at_ms: TEN_O_CLOCK_MS,
    },
  ]);
  expect(body).toEqual({ message_id: sent[0]?.message_id, subscription_id: 'sub_1' });
  expect(headers).toMatchObject({ location: `/v1/messages/${body.message_id}` });
});

test('a ping carries a sample of the event type that was asked for, and of no other', async () => {
  const { api, sent } = await apiWith();
  await api({ method: 'POST', path, body: { sample_of: 'card_payment_refunded' } });
  expect(sent).toMatchObject([{ event_type: 'sample.card_payment_refunded', resource_type: 'sample' }]);
  const unknown = await api({ method: 'POST', path, body: { sample_of: 'ping' } });
  expect(unknown).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'sample_of', reason: expect.stringContaining('card_payment_started') }] },
  });
  expect(sent).toHaveLength(1);
});

test('two pings are two messages with different ordering keys', async () => {
  const { api, sent } = await apiWith();
  await api({ method: 'POST', path });
  await api({ method: 'POST', path });
  expect(new Set(sent.map(({ message_id }) => message_id)).size).toBe(2);
  expect(new Set(sent.map(({ payment_id }) => payment_id)).size).toBe(2);
});

test.each(['paused', 'disabled'] as const)('a subscription that is %s can be pinged', async (state) => {
  const { api, sent } = await apiWith({ state });
  expect(await api({ method: 'POST', path })).toMatchObject({ status: 202 });
  expect(sent).toHaveLength(1);
});

test('a ping that cannot be queued gets 503 with retry-after', async () => {
  const { api } = await apiWith({}, { send: async () => false });
  expect(await api({ method: 'POST', path })).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
    body: { type: 'urn:payhooks:problem:not-taken' },
  });
});

test.each([
  [{ ofSubscription: 6, ofService: 6 }, 'At most 5 test pings and challenges of a subscription are sent in a minute.'],
  [{ ofSubscription: 1, ofService: 21 }, 'At most 20 test pings and challenges of a service are sent in a minute.'],
])('with %p in this minute, a ping is refused until the next', async (counts, detail) => {
  const countPing = async () => counts;
  const { api, sent } = await apiWith({}, { countPing, now: () => TEN_O_CLOCK_MS + 18_000 });
  expect(await api({ method: 'POST', path })).toMatchObject({
    status: 429,
    headers: { 'retry-after': '42' },
    body: { type: 'urn:payhooks:problem:too-many-pings', detail: `${detail} Try again in 42 s.` },
  });
  expect(sent).toEqual([]);
});

test('pings up to the limit are sent', async () => {
  const { api, sent } = await apiWith({}, { countPing: async () => ({ ofSubscription: 5, ofService: 20 }) });
  expect(await api({ method: 'POST', path })).toMatchObject({ status: 202 });
  expect(sent).toHaveLength(1);
});
