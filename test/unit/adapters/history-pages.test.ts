import type { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { historyPages } from '../../../functions/adapters/history-pages.ts';
import type { MessagesOf, PageWanted } from '../../../functions/api/message-history.ts';
import { messageRecord } from '../api/builders.ts';

const EARLY = '2026-01-01T00:00:00.000Z';
const LATE = '2026-01-02T00:00:00.000Z';
const ofSubscription = { subscriptionId: 'sub_1' };
const ofPayment = { serviceId: 'shop', paymentId: 'pay_1' };

/** Answers each query with the messages of these numbers, and DynamoDB's sign that there is more where it is said. */
function index(numbers: readonly number[] = [], isMore = false) {
  const queries: QueryCommand['input'][] = [];
  const client = {
    async send({ input }: QueryCommand) {
      queries.push(input);
      const Items = numbers.map((number) =>
        marshall(messageRecord({ message_id: `msg_${number}` }), { removeUndefinedValues: true }),
      );
      return { Items, ...(isMore ? { LastEvaluatedKey: Items.at(-1) } : {}) };
    },
  };
  const page = historyPages(client as unknown as DynamoDBClient, 'history');
  return {
    page: (of: MessagesOf, wanted: Partial<PageWanted> = {}) => page(of, { limit: 2, ...wanted }),
    queries,
  };
}

/** The one query that a page costs. */
async function queryFor(of: MessagesOf, wanted: Partial<PageWanted> = {}) {
  const { page, queries } = index();
  await page(of, wanted);
  expect(queries).toHaveLength(1);
  const { ExpressionAttributeValues = {}, ExclusiveStartKey, ...query } = queries[0]!;
  return {
    ...query,
    values: unmarshall(ExpressionAttributeValues),
    start: ExclusiveStartKey && unmarshall(ExclusiveStartKey),
  };
}

test('a page of a subscription reads one message more than it shows', async () => {
  expect(await queryFor(ofSubscription)).toMatchObject({
    TableName: 'history',
    IndexName: 'by_subscription',
    KeyConditionExpression: '#partition = :partition',
    ExpressionAttributeNames: { '#partition': 'subscription_id' },
    values: { ':partition': 'sub_1' },
    ScanIndexForward: false,
    Limit: 3,
  });
});

test('what is wanted of the messages is sifted from a thousand at a time', async () => {
  const query = await queryFor(ofSubscription, { state: 'exhausted', eventType: 'ping' });
  expect(query).toMatchObject({
    FilterExpression: '#state = :state AND #event_type = :event_type',
    values: { ':state': 'exhausted', ':event_type': 'ping' },
    Limit: 1_000,
  });
});

test('the messages of a payment are those of one service, whatever others call theirs', async () => {
  expect(await queryFor(ofPayment)).toMatchObject({
    IndexName: 'by_payment',
    ExpressionAttributeNames: { '#partition': 'payment_id', '#service_id': 'service_id' },
    FilterExpression: '#service_id = :service_id',
    values: { ':partition': 'pay_1', ':service_id': 'shop' },
  });
  expect(await queryFor({ ...ofPayment, subscriptionId: 'sub_1' })).toMatchObject({
    FilterExpression: '#service_id = :service_id AND #subscription_id = :subscription_id',
    values: { ':service_id': 'shop', ':subscription_id': 'sub_1' },
  });
});

test.each([
  [{ since: EARLY }, '#admitted_at >= :since', { ':since': EARLY }],
  [{ until: LATE }, '#admitted_at < :until', { ':until': LATE }],
  [
    { since: EARLY, until: LATE },
    '#admitted_at BETWEEN :since AND :last',
    { ':since': EARLY, ':last': '2026-01-01T23:59:59.999Z' },
  ],
])('a span of time %j is read by the key, at no cost for the rest', async (span, condition, values) => {
  const query = await queryFor(ofSubscription, span);
  expect(query.KeyConditionExpression).toBe(`#partition = :partition AND ${condition}`);
  expect(query.values).toMatchObject(values);
  expect(query).toMatchObject({ Limit: 3 });
  expect(query).not.toHaveProperty('FilterExpression');
});

test('a page goes on after a message, in whichever index', async () => {
  const after = { message_id: 'msg_5', admitted_at: EARLY };
  expect((await queryFor(ofSubscription, { after })).start).toEqual({
    message_id: 'msg_5',
    item: 'message',
    subscription_id: 'sub_1',
    admitted_at: EARLY,
  });
  expect((await queryFor(ofPayment, { after })).start).toEqual({
    message_id: 'msg_5',
    item: 'message',
    payment_id: 'pay_1',
    admitted_at: EARLY,
  });
});

test('a place outside the span of time, which DynamoDB refuses, means all of the span or nothing of it', async () => {
  const later = { message_id: 'msg_5', admitted_at: LATE };
  expect(await queryFor(ofSubscription, { after: later, until: LATE })).toMatchObject({ start: undefined });

  const { page, queries } = index([1]);
  const earlier = { message_id: 'msg_5', admitted_at: EARLY };
  expect(await page(ofSubscription, { after: earlier, since: LATE })).toEqual({ messages: [] });
  expect(queries).toEqual([]);
});

test('a page leads on from its last message, or from as far as was looked through', async () => {
  const admitted_at = '2026-01-01T00:00:01.000Z';
  expect((await index([3, 2, 1]).page(ofSubscription)).next).toMatchObject({
    message_id: 'msg_2',
    admitted_at,
  });
  expect((await index([3], true).page(ofPayment)).next).toEqual({ message_id: 'msg_3', admitted_at });
  expect(await index([3, 2]).page(ofSubscription)).not.toHaveProperty('next');
});
