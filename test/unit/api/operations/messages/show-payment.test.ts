import type { MessageRecord } from '../../../../../functions/core/message/history.ts';
import { inMemoryHistory } from '../../../../../functions/core/message/message-history.ts';
import type { ReadProgress } from '../../../../../functions/core/sequence/ports.ts';
import { keptSecrets, subscription } from '../../../../support/builders.ts';
import { apiOver, messageRecord, registryOfShop } from '../../builders.ts';

const path = '/v1/payments/pay_1';

const of = (message_id: string, over: Partial<MessageRecord> = {}) => ({
  record: messageRecord({ message_id, ...over }),
  laterAttempts: [],
});

/** Message 1 is the oldest. */
const messages = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    of(`msg_${index + 1}`, { admitted_at: `2026-01-01T00:00:01.${String(index).padStart(3, '0')}Z` }),
  );

const PROGRESS = {
  next: 2,
  recent: ['digest'],
  early: [{ sequence: 3, event_id: 'evt_3', since: '2026-01-01T00:00:02.000Z' }],
  sent: { sub_1: { position: 1, message_id: 'msg_1' } },
};

async function apiWith(history: Parameters<typeof inMemoryHistory>[0], progress?: typeof PROGRESS) {
  const subscriptions = await registryOfShop();
  await subscriptions.add(
    subscription({ service_id: 'shop', subscription_id: 'sub_unrelated' }),
    keptSecrets(),
  );
  const readProgress: ReadProgress = async ({ service_id, payment_id }) =>
    service_id === 'shop' && payment_id === 'pay_1' ? progress : undefined;
  return apiOver({ subscriptions, history: inMemoryHistory(history), progress: readProgress });
}

const ids = (body: { messages: { message_id: string }[] }) =>
  body.messages.map(({ message_id }) => message_id);

test('a payment is shown across subscriptions, with what happened and without bodies', async () => {
  const api = await apiWith([
    of('msg_1', { ended_at: '2026-01-01T00:00:01.019Z' }),
    of('msg_2', { subscription_id: 'sub_deleted', admitted_at: '2026-01-01T00:00:01.001Z' }),
    of('msg_3', { payment_id: 'pay_2' }),
  ]);

  const { status, body } = await api({ path });

  expect(status).toBe(200);
  expect(ids(body)).toEqual(['msg_2', 'msg_1']);
  expect(body.messages[1]).toMatchObject({
    state: 'succeeded',
    entries: [
      { kind: 'occurred' },
      { kind: 'admitted' },
      { kind: 'attempted', status_code: 200 },
      { kind: 'ended' },
    ],
  });
  expect(body.subscriptions).toEqual([
    { subscription_id: 'sub_1', description: 'orders', state: 'active', circuit: { state: 'closed' } },
  ]);
  expect(body).not.toHaveProperty('sequence');
  expect(body).not.toHaveProperty('next_cursor');
  expect(JSON.stringify(body)).not.toContain('webhook_message_id');
});

test('a payment with numbered events tells how far it is, also before anything was sent', async () => {
  const { sequence, subscriptions, messages: shown } = (await (await apiWith([], PROGRESS))({ path })).body;
  expect(sequence).toMatchObject({
    next: 2,
    // A quarter of an hour, as the standard policy says.
    next_awaited_until: '2026-01-01T00:15:02.000Z',
    early: [{ sequence: 3, event_id: 'evt_3' }],
    sent: [{ subscription_id: 'sub_1', position: 1, message_id: 'msg_1' }],
  });
  expect(subscriptions).toMatchObject([{ subscription_id: 'sub_1' }]);
  expect(shown).toEqual([]);
});

test('messages come in pages, newest first, each once', async () => {
  const api = await apiWith(messages(5));

  const first = await api({ path, query: 'limit=3' });
  const second = await api({ path, query: `limit=3&cursor=${first.body.next_cursor}` });

  expect([ids(first.body), ids(second.body)]).toEqual([
    ['msg_5', 'msg_4', 'msg_3'],
    ['msg_2', 'msg_1'],
  ]);
  expect(second.body).not.toHaveProperty('next_cursor');
  expect(ids((await (await apiWith(messages(25)))({ path })).body)).toHaveLength(20);
});

test('of many attempts the first and the last twenty are shown', async () => {
  const laterAttempts = Array.from({ length: 29 }, (_, index) => ({
    attempt: index + 2,
    started_at: `2026-01-01T00:01:${String(index + 2).padStart(2, '0')}.000Z`,
    duration_ms: 1,
  }));
  const { record } = of('msg_1', { attempt_count: 30 });
  const [shown] = (await (await apiWith([{ record, laterAttempts }]))({ path })).body.messages;
  const numbers = shown.entries.flatMap(({ attempt }: { attempt?: number }) => attempt ?? []);
  expect(numbers).toEqual([1, ...Array.from({ length: 20 }, (_, index) => index + 11)]);
  expect(shown.attempts_left_out).toBe(9);
});

test.each(['pay.1', 'pay%231', 'shop%23pay_1', `p${'a'.repeat(64)}`])('%s is no payment', async (id) => {
  const asked: unknown[] = [];
  const progress: ReadProgress = async (payment) => {
    asked.push(payment);
    return undefined;
  };
  expect(await apiOver({ progress })({ path: `/v1/payments/${id}` })).toMatchObject({ status: 404 });
  expect(asked).toEqual([]);
});
