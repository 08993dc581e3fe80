import { inMemoryHistory } from '../../../../functions/api/operations/messages/message-history.ts';
import { inMemoryRegistry } from '../../../../functions/api/ports/subscription-registry.ts';
import type { MessageRecord } from '../../../../functions/core/message/history.ts';
import { resourceKey } from '../../../../functions/core/message/message.ts';
import { keptSecrets, subscription } from '../../../support/builders.ts';
import { apiOver, messageRecord, other, whateverTheId } from '../builders.ts';

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

async function apiWith(...history: Parameters<typeof inMemoryHistory>) {
  const subscriptions = inMemoryRegistry();
  await subscriptions.add(subscription({ service_id: 'shop' }), keptSecrets());
  return apiOver({ subscriptions, history: inMemoryHistory(...history) });
}

const ids = (body: { messages: { message_id: string }[] }) =>
  body.messages.map(({ message_id }) => message_id);

test('the messages of a subscription come newest first, page by page, each once', async () => {
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

test('a page that ends with the last message leads nowhere', async () => {
  const api = await apiWith(messages(2));
  expect((await api({ path, query: 'limit=2' })).body).not.toHaveProperty('next_cursor');
});

test('a page has twenty messages unless another number is wanted', async () => {
  const api = await apiWith(messages(101));

  expect(ids((await api({ path })).body)).toHaveLength(20);
  expect(ids((await api({ path, query: 'limit=100' })).body)).toHaveLength(100);
});

test('a list tells how messages fare, and nothing of what they say', async () => {
  const api = await apiWith([{ record: messageRecord(), laterAttempts: [] }]);

  expect((await api({ path })).body.messages).toEqual([
    {
      message_id: 'msg_1',
      event_id: 'evt_1',
      subscription_id: 'sub_1',
      payment_id: 'pay_1',
      event_type: 'card_payment_captured',
      resource_type: 'payment',
      resource_id: 'pay_1',
      live: true,
      occurred_at: '2026-01-01T00:00:00.000Z',
      admitted_at: '2026-01-01T00:00:01.000Z',
      state: 'succeeded',
      attempt_count: 1,
      time_to_send_ms: 7,
      last_attempt_at: '2026-01-01T00:00:01.007Z',
      last_status_code: 200,
    },
  ]);
});

test('a list may be of the messages in one state, page by page', async () => {
  const states = ['exhausted', 'succeeded', 'exhausted', 'parked', 'exhausted'] as const;
  const api = await apiWith(
    messages(5).map((message, i) => ({ ...message, record: { ...message.record, state: states[i]! } })),
  );

  const first = await api({ path, query: 'state=exhausted&limit=2' });
  const second = await api({ path, query: `state=exhausted&limit=2&cursor=${first.body.next_cursor}` });

  expect(ids(first.body)).toEqual(['msg_5', 'msg_3']);
  expect(ids(second.body)).toEqual(['msg_1']);
  expect(second.body).not.toHaveProperty('next_cursor');
});

test('a page that found nothing in that state so far still leads on', async () => {
  const [oldest, ...others] = messages(5);
  const retrying = { ...oldest!, record: { ...oldest!.record, state: 'retrying' as const } };
  const api = await apiWith([retrying, ...others], {}, 2);

  const pages = [await api({ path, query: 'state=retrying' })];
  while (pages.at(-1)!.body.next_cursor !== undefined) {
    pages.push(await api({ path, query: `state=retrying&cursor=${pages.at(-1)!.body.next_cursor}` }));
  }

  expect(pages.map(({ body }) => ids(body))).toEqual([[], [], ['msg_1']]);
});

/** Of payments 1, 2, 1, 2 …; every third is a capture, the others have succeeded; one each millisecond from 1 on. */
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
])('with ?%s a list has exactly those', async (query, expected) => {
  const api = await apiWith(mixed(9));
  expect(ids((await api({ path, query })).body)).toEqual(expected);
});

test('whatever is wanted, each page goes on where the one before ended', async () => {
  const api = await apiWith(mixed(9));
  const query = `payment_id=pay_1&since=${moment(2)}&limit=2`;

  const first = await api({ path, query });
  const second = await api({ path, query: `${query}&cursor=${first.body.next_cursor}` });

  expect([first, second].map(({ body }) => ids(body))).toEqual([
    ['msg_9', 'msg_7'],
    ['msg_5', 'msg_3'],
  ]);
  expect(second.body).not.toHaveProperty('next_cursor');
});

test('messages that come while pages are turned neither double nor hide others', async () => {
  const known = messages(4);
  const api = await apiWith(known);

  const first = await api({ path, query: 'limit=2' });
  known.push(...messages(6).slice(4));
  const second = await api({ path, query: `limit=2&cursor=${first.body.next_cursor}` });

  expect([first, second].map(({ body }) => ids(body))).toEqual([
    ['msg_4', 'msg_3'],
    ['msg_2', 'msg_1'],
  ]);
  expect(ids((await api({ path })).body)[0]).toBe('msg_6');
});

test('the messages of a payment are listed across the subscriptions of a service, and not beyond', async () => {
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

test('without a payment there is no list across subscriptions', async () => {
  const api = await apiWith([]);
  expect(await api({ path: '/v1/messages' })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'payment_id', reason: expect.any(String) }] },
  });
});

test.each([
  ['state=lost', 'state'],
  ['state=', 'state'],
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=ten', 'limit'],
  ['limit=', 'limit'],
  ['limit=1e1', 'limit'],
  ['cursor=', 'cursor'],
  ['cursor=abc', 'cursor'],
  ['event_type=card_payment_*', 'event_type'],
  ['event_type=CAPTURE_CONFIRMED', 'event_type'],
  ['payment_id=', 'payment_id'],
  ['payment_id=a%20b', 'payment_id'],
  [`payment_id=${'x'.repeat(65)}`, 'payment_id'],
  ['since=yesterday', 'since'],
  ['since=9999-12-31T23:59:59-01:00', 'since'],
  ['until=0000-01-01T00:00:00%2B01:00', 'until'],
  ['since=2026-01-01', 'since'],
  ['until=2026-01-01T00:00:00', 'until'],
  ['since=2026-01-01T00:00:00Z&until=2026-01-01T00:00:00Z', 'until'],
  ['since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z', 'until'],
  ['payment=pay_1', 'payment'],
])('?%s cannot be understood', async (query, field) => {
  const api = await apiWith([]);
  expect(await api({ path, query })).toMatchObject({
    status: 400,
    headers: { 'content-type': 'application/problem+json' },
    body: { type: 'urn:payhooks:problem:malformed-request', errors: [{ field, reason: expect.any(String) }] },
  });
});

test('a message is shown with its body and all its attempts', async () => {
  const first = {
    attempt: 1,
    started_at: '2026-01-01T00:00:01.007Z',
    duration_ms: 10_000,
    failure_class: 'timeout',
    failure_reason: 'no answer within 10 s',
  } as const;
  const second = { attempt: 2, started_at: '2026-01-01T00:00:16.000Z', duration_ms: 12, status_code: 200 };
  const record = messageRecord({ first_attempt: first, attempt_count: 2 });
  const api = await apiWith([{ record, laterAttempts: [second] }]);

  const { status, body } = await api({ path: '/v1/messages/msg_1' });

  expect(status).toBe(200);
  expect(body).toMatchObject({
    message_id: 'msg_1',
    state: 'succeeded',
    body: '{"webhook_message_id":"msg_1"}',
    attempts: [first, second],
  });
  expect(body).not.toHaveProperty('service_id');
  expect(body).not.toHaveProperty('first_attempt');
});

test('a large body is put together from the resource that lies with its event', async () => {
  const { body: _, ...record } = messageRecord();
  const api = await apiWith([{ record, laterAttempts: [] }], { [resourceKey(record)]: '{"amount": 100}' });

  expect((await api({ path: '/v1/messages/msg_1' })).body.body).toBe(
    '{"webhook_message_id":"msg_1","api_version":1,"created_date":"2026-01-01T00:00:00.000Z","resource_id":"pay_1",' +
      '"resource_type":"payment","event_type":"card_payment_captured","resource":{"amount": 100}}',
  );
});

test('a message whose body is not on record any more is shown without', async () => {
  const { body: _, ...record } = messageRecord();
  const api = await apiWith([{ record, laterAttempts: [] }]);

  const { status, body } = await api({ path: '/v1/messages/msg_1' });

  expect(status).toBe(200);
  expect(body).not.toHaveProperty('body');
});

test('a message that waits has no attempts yet', async () => {
  const { first_attempt: _, ...record } = messageRecord({
    state: 'parked',
    state_reason: 'behind_earlier',
    attempt_count: 0,
  });
  const api = await apiWith([{ record, laterAttempts: [] }]);

  expect((await api({ path: '/v1/messages/msg_1' })).body).toMatchObject({
    state: 'parked',
    state_reason: 'behind_earlier',
    attempts: [],
  });
});

test('a message that is tried again shows when, how long it was held and which attempts were probes', async () => {
  const probe = {
    attempt: 1,
    started_at: '2026-01-01T00:01:00.000Z',
    duration_ms: 3,
    status_code: 503,
    failure_class: 'http_status',
    failure_reason: 'HTTP 503',
    probe: true,
  } as const;
  const second = { ...probe, attempt: 2, started_at: '2026-01-01T00:02:00.000Z', probe: undefined };
  const record = messageRecord({
    state: 'retrying',
    attempt_count: 2,
    parked_at: '2026-01-01T00:00:01.005Z',
    held_ms: 58_995,
    time_to_send_ms: 5,
    expires_at: '2026-01-02T00:00:00.000Z',
    next_attempt_at: '2026-01-01T00:02:05.000Z',
    first_attempt: probe,
  });
  const api = await apiWith([{ record, laterAttempts: [second] }]);

  const { body } = await api({ path: '/v1/messages/msg_1' });

  expect(body).toMatchObject({
    state: 'retrying',
    parked_at: '2026-01-01T00:00:01.005Z',
    held_ms: 58_995,
    time_to_send_ms: 5,
    expires_at: '2026-01-02T00:00:00.000Z',
    next_attempt_at: '2026-01-01T00:02:05.000Z',
  });
  expect(body.attempts.map((attempt: { probe?: boolean }) => attempt.probe)).toEqual([true, undefined]);
});

test('a message that was given up shows why and when, in its list too', async () => {
  const ended = {
    state: 'exhausted',
    state_reason: 'schedule',
    ended_at: '2026-01-04T04:00:00.000Z',
  } as const;
  const api = await apiWith([{ record: messageRecord(ended), laterAttempts: [] }]);

  expect((await api({ path: '/v1/messages/msg_1' })).body).toMatchObject(ended);
  expect((await api({ path })).body.messages).toMatchObject([ended]);
});

test('the message of another service is not there', async () => {
  const api = await apiWith([{ record: messageRecord(), laterAttempts: [] }]);
  const mine = await api({ path: '/v1/messages/msg_1', context: other });
  const nobodys = await api({ path: '/v1/messages/msg_2', context: other });

  expect(mine).toMatchObject({ status: 404 });
  expect(whateverTheId(mine)).toEqual(whateverTheId(nobodys));
});

test.each(['event#evt_1', 'event%23evt_1', 'sub_1', `msg_${'x'.repeat(3_000)}`])(
  '%s is no message',
  async (id) => {
    const api = await apiWith([]);
    expect(await api({ path: `/v1/messages/${id}` })).toMatchObject({ status: 404 });
  },
);
