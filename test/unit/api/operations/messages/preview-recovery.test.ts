import type { PastMessage } from '../../../../../functions/core/message/recovery.ts';
import { at, pastMessage } from '../../../pipeline/wake/world.ts';
import { apiOver, messageRecord, registryOfShop } from '../../builders.ts';

const path = '/v1/subscriptions/sub_1/recoveries/preview';
const since = '2026-11-14T09:00:00Z';

/** The API over these messages, in pages of this many; each says its number as the amount. */
async function given(history: readonly PastMessage[], pageSize = 1_000) {
  const asked: string[] = [];
  const api = apiOver({
    subscriptions: await registryOfShop(),
    pastMessages: async ({ service_id, subscription_id, continue_at, until }) => {
      asked.push(`${service_id} ${subscription_id} ${continue_at} ${until}`);
      const rest = history.filter(({ admitted_at }) => admitted_at >= continue_at && admitted_at < until);
      const next = rest[pageSize];
      return { messages: rest.slice(0, pageSize), ...(next && { continueAt: next.admitted_at }) };
    },
    contents: async (messages) =>
      new Map(
        messages.map(({ message_id, order_number }) => {
          const resource = `{"amount":${order_number}}`;
          return [message_id, { record: messageRecord({ message_id }), resource }];
        }),
      ),
  });
  return { asked, preview: (body: object) => api({ method: 'POST', path, body: { since, ...body } }) };
}

const delivered = { state: 'succeeded', ended_at: at(-1) } as const;
const some = [
  pastMessage(1, -3_000),
  pastMessage(2, -2_000, { event_type: 'refund_succeeded' }),
  pastMessage(3, -1_500, delivered),
  pastMessage(4, -1_000),
  pastMessage(5, -500, delivered),
];

test('it counts what failed, by event type and state, and starts nothing', async () => {
  const { preview, asked } = await given(some);
  expect(await preview({})).toMatchObject({
    status: 200,
    body: {
      since: '2026-11-14T09:00:00.000Z',
      until: '2026-11-14T10:00:00.000Z',
      examined_count: 5,
      found_count: 3,
      found: [
        { event_type: 'card_payment_captured', state: 'exhausted', count: 2 },
        { event_type: 'refund_succeeded', state: 'exhausted', count: 1 },
      ],
    },
  });
  expect(asked).toEqual(['shop sub_1 2026-11-14T09:00:00.000Z 2026-11-14T10:00:00.000Z']);
});

test.each([
  [{ states: ['succeeded'] }, 2],
  [{ states: ['succeeded', 'exhausted', 'cancelled'] }, 5],
  [{ payment_ids: ['pay-1', 'pay-3', 'pay-4', 'of-another-service'] }, 2],
  [{ payment_ids: ['of-another-service'] }, 0],
  [{ filter: { resource: { amount: [{ numeric: ['>', 3] }] } } }, 1],
  [{ states: ['succeeded'], filter: { resource: { amount: [3, 4] } } }, 1],
  [{ states: ['succeeded'], payment_ids: ['pay-5'], event_types: ['refund_*'] }, 0],
])('of what %j chooses, it counts %i', async (narrowed, count) => {
  const { body } = await (await given(some)).preview(narrowed);
  expect(body).toMatchObject({ examined_count: 5, found_count: count });
});

test('it examines five thousand, and says where to continue', async () => {
  const many = Array.from({ length: 7_000 }, (_, index) => pastMessage(index, index - 60_000));
  const { preview, asked } = await given(many);
  const first = (await preview({})).body;
  expect(first).toMatchObject({ examined_count: 5_000, found_count: 5_000, continue_since: at(-55_000) });
  expect(asked).toHaveLength(5);
  const second = (await preview({ since: first.continue_since, until: first.until })).body;
  expect(second).toMatchObject({ examined_count: 2_000, found_count: 2_000 });
  expect(second).not.toHaveProperty('continue_since');
});

test('with a filter it reads five hundred', async () => {
  const many = Array.from({ length: 700 }, (_, index) => pastMessage(index, index - 60_000));
  const { preview } = await given(many);
  expect((await preview({ filter: { payment_id: [{ prefix: 'pay' }] } })).body).toMatchObject({
    examined_count: 500,
    continue_since: at(500 - 60_000),
  });
});

const ids = (count: number) => Array.from({ length: count }, (_, index) => `pay_${'x'.repeat(55)}_${index}`);

test('a thousand payments are taken, however long their ids', async () => {
  const { preview } = await given(some);
  expect(await preview({ payment_ids: ids(1_000) })).toMatchObject({ status: 200, body: { found_count: 0 } });
});

test.each([
  [{ payment_ids: ids(1_001) }, 'payment_ids', 'must have at most 1000 entries'],
  [{ payment_ids: [] }, 'payment_ids', 'must have at least 1 entry'],
  [{ payment_ids: ['a b'] }, 'payment_ids.0', 'must be 1 to 64 of A-Z a-z 0-9 _ -'],
  [{ states: [] }, 'states', 'must have at least 1 entry'],
  [{ states: ['parked'] }, 'states.0', 'must be one of exhausted, cancelled, succeeded'],
  [{ event_types: [] }, 'event_types', 'must have at least 1 entry'],
  [{ filter: {} }, 'filter', 'must not be empty'],
  [
    { since: '2026-08-16T09:59:59.999Z' },
    'since',
    'must be within the last 90 days: what is older goes by itself',
  ],
])('%j is refused, and so it is by the recovery itself', async (body, field, reason) => {
  const { preview, asked } = await given(some);
  const refused = { status: 400, body: { errors: [{ field, reason }] } };
  expect(await preview(body)).toMatchObject(refused);
  const api = apiOver({ subscriptions: await registryOfShop() });
  const started = { method: 'POST', path: path.replace('/preview', ''), body: { since, ...body } };
  expect(await api(started)).toMatchObject(refused);
  expect(asked).toEqual([]);
});

test('what is larger than the largest recovery is refused unread', async () => {
  const { preview } = await given(some);
  expect(await preview({ payment_ids: [...ids(1_000), 'x'.repeat(20_000)] })).toMatchObject({
    status: 413,
    body: { detail: 'The body must be at most 81920 bytes.' },
  });
});
