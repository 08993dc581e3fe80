import type { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { historyPages } from '../../../../../functions/adapters/dynamodb/history/history-pages.ts';
import { messageItem } from '../../../../../functions/adapters/dynamodb/history/message-item.ts';
import { marshalled } from '../../../../../functions/adapters/dynamodb/marshalled.ts';
import { messageAddress } from '../../../../../functions/adapters/dynamodb/table-keys.ts';
import type { PageWanted } from '../../../../../functions/core/message/message-history.ts';
import { recordingClient } from '../../../../support/recorded-parameters.ts';
import { messageRecord } from '../../../api/builders.ts';

const EARLY = '2026-01-01T00:00:00.000Z';
const LATE = '2026-01-02T00:00:00.000Z';

/** Answers each query with the messages of these numbers, and with a last key where given. */
function index(numbers: readonly number[] = [], isMore = false) {
  const Items = numbers.map((number) =>
    marshalled(messageItem(messageRecord({ message_id: `msg_${number}` }))),
  );
  const { client, inputs: queries } = recordingClient<DynamoDBClient, QueryCommand['input']>(() => ({
    Items,
    ...(isMore ? { LastEvaluatedKey: Items.at(-1) } : {}),
  }));
  const page = historyPages(client, 'history');
  return {
    page: (wanted: Partial<PageWanted> = {}) => page('sub_1', { limit: 2, ...wanted }),
    queries,
  };
}

/** The only query of a page. */
async function queryFor(wanted: Partial<PageWanted> = {}) {
  const { page, queries } = index();
  await page(wanted);
  expect(queries).toHaveLength(1);
  const { ExpressionAttributeValues = {}, ExclusiveStartKey, ...query } = queries[0]!;
  return {
    ...query,
    values: unmarshall(ExpressionAttributeValues),
    start: ExclusiveStartKey && unmarshall(ExclusiveStartKey),
  };
}

test('what is not delivered is found by its state, without passing over what is', async () => {
  expect(await queryFor({ state: 'exhausted' })).toMatchObject({
    IndexName: 'undelivered',
    KeyConditionExpression: '#undelivered = :undelivered',
    values: { ':undelivered': 'sub_1#exhausted' },
    Limit: 3,
  });
});

test('a page of that index continues behind the whole key of a message', async () => {
  const after = { message_id: 'msg_5', admitted_at: EARLY };
  expect((await queryFor({ state: 'parked', after })).start).toEqual({
    ...messageAddress('msg_5'),
    undelivered: 'sub_1#parked',
    admitted_at: EARLY,
  });
});

test('other filters are applied to a thousand messages at a time', async () => {
  expect(await queryFor({ state: 'succeeded', eventType: 'ping' })).toMatchObject({
    IndexName: 'by_subscription',
    FilterExpression: '#state = :state AND #event_type = :event_type',
    values: { ':state': 'succeeded', ':event_type': 'ping' },
    Limit: 1_000,
  });
});

test('a start outside the time span, which DynamoDB refuses, means the whole span or none of it', async () => {
  const later = { message_id: 'msg_5', admitted_at: LATE };
  expect(await queryFor({ after: later, until: LATE })).toMatchObject({ start: undefined });

  const { page, queries } = index([1]);
  const earlier = { message_id: 'msg_5', admitted_at: EARLY };
  expect(await page({ after: earlier, since: LATE })).toEqual({ messages: [] });
  expect(queries).toEqual([]);
});

test('a page continues from its last message, or from the last message examined', async () => {
  const admitted_at = '2026-01-01T00:00:01.000Z';
  expect((await index([3, 2, 1]).page()).next).toMatchObject({
    message_id: 'msg_2',
    admitted_at,
  });
  expect((await index([3], true).page()).next).toEqual({ message_id: 'msg_3', admitted_at });
  expect(await index([3, 2]).page()).not.toHaveProperty('next');
});
