import type { MessageRecord } from '../../../../../functions/core/message/history.ts';
import { inMemoryHistory } from '../../../../../functions/core/message/message-history.ts';
import { apiOver, apiWith, messageRecord, other, registryOfShop } from '../../builders.ts';

const path = '/v1/subscriptions/sub_1/messages';

/** Message 1 is the oldest. */
function messages(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    record: messageRecord({
      message_id: `msg_${i + 1}`,
      admitted_at: `2026-01-01T00:00:00.${String(i + 1).padStart(3, '0')}Z`,
    }),
    laterAttempts: [],
  }));
}

const ids = (body: { messages: { message_id: string }[] }) =>
  body.messages.map(({ message_id }) => message_id);

test('the messages of a subscription are listed newest first, page by page, each once', async () => {
  const api = await apiWith(messages(5));

  const first = await api({ path, query: 'limit=2' });
  const second = await api({ path, query: `limit=2&cursor=${first.body.next_cursor}` });
  const third = await api({ path, query: `limit=2&cursor=${second.body.next_cursor}` });

  expect([first, second, third].map(({ body }) => ids(body))).toEqual([
    ['msg_5', 'msg_4'],
    ['msg_3', 'msg_2'],
    ['msg_1'],
  ]);
  expect(third.body).not.toHaveProperty('next_cursor');
});

test('a page has twenty messages by default', async () => {
  const api = await apiWith(messages(101));

  expect(ids((await api({ path })).body)).toHaveLength(20);
  expect(ids((await api({ path, query: 'limit=100' })).body)).toHaveLength(100);
});

test('a list shows the state of messages, but not their bodies', async () => {
  const record = messageRecord();
  const { service_id, ordering_key, order_number, body_format, resource, first_attempt, ...shown } = record;
  const api = await apiWith([{ record, laterAttempts: [] }]);

  expect((await api({ path })).body.messages).toEqual([shown]);
});

/**
 * One message per millisecond, of payments 1 and 2 in turn; every third is a capture, the others a success.
 */
const mixed = (count: number) =>
  messages(count).map((message, i) => ({
    ...message,
    record: {
      ...message.record,
      payment_id: `pay_${(i % 2) + 1}`,
      event_type: i % 3 === 2 ? 'card_payment_captured' : 'card_payment_succeeded',
    },
  }));
const moment = (ms: number) => `2026-01-01T00:00:00.${String(ms).padStart(3, '0')}Z`;

test.each([
  ['event_type=card_payment_captured', ['msg_9', 'msg_6', 'msg_3']],
  ['payment_id=pay_1', ['msg_9', 'msg_7', 'msg_5', 'msg_3', 'msg_1']],
  ['payment_id=pay_1&event_type=card_payment_captured', ['msg_9', 'msg_3']],
  [`since=${moment(8)}`, ['msg_9', 'msg_8']],
  [`until=${moment(3)}`, ['msg_2', 'msg_1']],
  [`since=${moment(4)}&until=${moment(6)}`, ['msg_5', 'msg_4']],
  [`since=${encodeURIComponent('2026-01-01T01:00:00.008+01:00')}`, ['msg_9', 'msg_8']],
  [`payment_id=pay_2&since=${moment(4)}&until=${moment(9)}&state=succeeded`, ['msg_8', 'msg_6', 'msg_4']],
  ['event_type=ping', []],
])('?%s lists exactly the messages that match', async (query, expected) => {
  const api = await apiWith(mixed(9));
  expect(ids((await api({ path, query })).body)).toEqual(expected);
});

test('the messages of a payment are listed across the subscriptions of its service only', async () => {
  const of = (message_id: string, over: Partial<MessageRecord>) => ({
    record: messageRecord({ message_id, ...over }),
    laterAttempts: [],
  });
  const api = await apiWith([
    of('msg_1', { admitted_at: moment(1) }),
    of('msg_2', { admitted_at: moment(2), subscription_id: 'sub_2' }),
    of('msg_3', { admitted_at: moment(3), service_id: 'other', subscription_id: 'sub_3' }),
    of('msg_4', { admitted_at: moment(4), payment_id: 'pay_2' }),
  ]);
  const query = 'payment_id=pay_1';

  expect(ids((await api({ path: '/v1/messages', query })).body)).toEqual(['msg_2', 'msg_1']);
  expect(ids((await api({ path: '/v1/messages', query, context: other })).body)).toEqual(['msg_3']);
  expect(ids((await api({ path, query })).body)).toEqual(['msg_1']);
});

test('a payment with more messages than can be sorted is refused, with what to do instead', async () => {
  const api = await apiOver({
    subscriptions: await registryOfShop(),
    history: { ...inMemoryHistory([]), payment: async () => undefined },
  });
  for (const target of [
    { path: '/v1/messages', query: 'payment_id=pay_1' },
    { path, query: 'payment_id=pay_1' },
    { path: '/v1/payments/pay_1' },
  ]) {
    expect(await api(target)).toMatchObject({
      status: 409,
      body: { type: 'urn:payhooks:problem:payment-too-large', detail: expect.stringContaining('since') },
    });
  }
});

test('a list across subscriptions needs a payment', async () => {
  const api = await apiWith([]);
  expect(await api({ path: '/v1/messages' })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'payment_id', reason: expect.any(String) }] },
  });
});
