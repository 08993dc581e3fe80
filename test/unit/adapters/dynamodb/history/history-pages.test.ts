import type { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { historyPages } from '../../../../../functions/adapters/dynamodb/history/history-pages.ts';
import type { MessagesOf, PageWanted } from '../../../../../functions/core/message/message-history.ts';
import { recordingClient } from '../../../../support/recording-client.ts';
import { messageRecord } from '../../../api/builders.ts';

const EARLY = '2026-01-01T00:00:00.000Z';
const LATE = '2026-01-02T00:00:00.000Z';
const ofSubscription = { subscriptionId: 'sub_1' };
const ofPayment = { serviceId: 'shop', paymentId: 'pay_1' };

/** Answers each query with the messages of these numbers, and with a last key where given. */
function index(numbers: readonly number[] = [], isMore = false) {
  const Items = numbers.map((number) =>
    marshall(messageRecord({ message_id: `msg_${number}` }), { removeUndefinedValues: true }),
  );
  const { client, inputs: queries } = recordingClient<DynamoDBClient, QueryCommand['input']>(() => ({
    Items,
    ...(isMore ? { LastEvaluatedKey: Items.at(-1) } : {}),
  }));
  const page = historyPages(client, 'history');
  return {
    page: (of: MessagesOf, wanted: Partial<PageWanted> = {}) => page(of, { limit: 2, ...wanted }),
    queries,
  };
}

/** The only query of a page. */
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

test('filters are applied to a thousand messages at a time', async () => {
  const query = await queryFor(ofSubscription, { state: 'exhausted', eventType: 'ping' });
  expect(query).toMatchObject({
    FilterExpression: '#state = :state AND #event_type = :event_type',
    values: { ':state': 'exhausted', ':event_type': 'ping' },
    Limit: 1_000,
  });
});

describe('a page of a payment', () => {
  const foreign = (number: number) => ({ message_id: `msg_${number}`, service_id: 'other' });
  const own = (number: number, over: object = {}) => ({
    message_id: `msg_${number}`,
    service_id: 'shop',
    ...over,
  });

  /** An index by payment that examines two messages at a time and filters them as DynamoDB does. */
  function sifting(all: readonly object[]) {
    const items = all.map((over) => messageRecord({ payment_id: 'pay_1', ...over }));
    const client = {
      async send({ input: { ExclusiveStartKey, ExpressionAttributeValues = {} } }: QueryCommand) {
        const after = ExclusiveStartKey && unmarshall(ExclusiveStartKey).message_id;
        const begin = items.findIndex(({ message_id }) => message_id === after) + 1;
        const examined = items.slice(begin, begin + 2);
        const { ':service_id': service } = unmarshall(ExpressionAttributeValues);
        const marshalled = (item: object) => marshall(item, { removeUndefinedValues: true });
        const last = examined.at(-1);
        return {
          Items: examined.filter(({ service_id }) => service_id === service).map(marshalled),
          ...(begin + 2 < items.length && last !== undefined
            ? { LastEvaluatedKey: marshalled({ message_id: last.message_id, admitted_at: last.admitted_at }) }
            : {}),
        };
      },
    };
    return historyPages(client as unknown as DynamoDBClient, 'history');
  }

  test("continues from a message of the caller, even if the search stopped at another service's", async () => {
    const page = sifting([own(9), foreign(8), foreign(7), foreign(6), own(5), foreign(4), foreign(3)]);
    const first = await page(ofPayment, { limit: 2 });
    expect(first).toMatchObject({ messages: [{ message_id: 'msg_9' }], next: { message_id: 'msg_9' } });
    const second = await page(ofPayment, { limit: 2, after: first.next! });
    expect(second).toMatchObject({ messages: [{ message_id: 'msg_5' }], next: { message_id: 'msg_5' } });
    expect(await page(ofPayment, { limit: 2, after: second.next! })).toEqual({ messages: [] });
  });

  test('that only has messages of others is empty and has no next page', async () => {
    expect(await sifting([1, 2, 3, 4, 5].map(foreign))(ofPayment, { limit: 2 })).toEqual({ messages: [] });
  });

  test('is filtered, and continues from the last message examined', async () => {
    const page = sifting([
      own(5, { state: 'exhausted' }),
      own(4, { subscription_id: 'sub_2' }),
      own(3),
      own(2),
    ]);
    const wanted = { limit: 2, state: 'exhausted' } as const;
    const first = await page({ ...ofPayment, subscriptionId: 'sub_2' }, wanted);
    expect(first).toEqual({ messages: [], next: { message_id: 'msg_4', admitted_at: expect.anything() } });
  });
});

test('a start outside the time span, which DynamoDB refuses, means the whole span or none of it', async () => {
  const later = { message_id: 'msg_5', admitted_at: LATE };
  expect(await queryFor(ofSubscription, { after: later, until: LATE })).toMatchObject({ start: undefined });

  const { page, queries } = index([1]);
  const earlier = { message_id: 'msg_5', admitted_at: EARLY };
  expect(await page(ofSubscription, { after: earlier, since: LATE })).toEqual({ messages: [] });
  expect(queries).toEqual([]);
});

test('a page continues from its last message, or from the last message examined', async () => {
  const admitted_at = '2026-01-01T00:00:01.000Z';
  expect((await index([3, 2, 1]).page(ofSubscription)).next).toMatchObject({
    message_id: 'msg_2',
    admitted_at,
  });
  expect((await index([3], true).page(ofPayment)).next).toEqual({ message_id: 'msg_3', admitted_at });
  expect(await index([3, 2]).page(ofSubscription)).not.toHaveProperty('next');
});
