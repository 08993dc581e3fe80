import { type AttributeValue, type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { MessageHistory, MessagesOf, PageWanted } from '../api/message-history.ts';
import { type Position, positionSchema } from '../core/cursor.ts';
import { instant } from '../core/instant.ts';
import { messageSummarySchema } from '../core/message-view.ts';
import { historyTable } from './table-keys.ts';

/** So many messages are looked through for those that are wanted: about half a megabyte, a few hundredths of a second. */
const MOST_EXAMINED = 1_000;

/** Pages of the indexes by subscription and by payment. */
export function historyPages(client: DynamoDBClient, table: string): MessageHistory['page'] {
  return async (of, wanted) => {
    const { limit, after, since } = wanted;
    if (after !== undefined && since !== undefined && after.admitted_at < since) {
      return { messages: [] };
    }
    const { index, partition, equal } = sourceOf(of, wanted);
    const time = timeOf(wanted);
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: index,
        KeyConditionExpression: ['#partition = :partition', ...time.condition].join(' AND '),
        ...(equal.length === 0
          ? {}
          : { FilterExpression: equal.map(([name]) => `#${name} = :${name}`).join(' AND ') }),
        ExpressionAttributeNames: {
          '#partition': partition.name,
          ...(time.condition.length === 0 ? {} : { '#admitted_at': 'admitted_at' }),
          ...Object.fromEntries(equal.map(([name]) => [`#${name}`, name])),
        },
        ExpressionAttributeValues: marshall({
          ':partition': partition.value,
          ...time.values,
          ...Object.fromEntries(equal.map(([name, value]) => [`:${name}`, value])),
        }),
        ScanIndexForward: false,
        // One more than wanted tells whether there is more: DynamoDB's own sign also comes at the very end.
        Limit: equal.length === 0 ? limit + 1 : MOST_EXAMINED,
        ...startingAfter(wanted, partition),
      }),
    );
    const messages = Items.slice(0, limit).map((item) => messageSummarySchema.parse(unmarshall(item)));
    const next = Items.length > limit ? messages.at(-1) : LastEvaluatedKey && positionIn(LastEvaluatedKey);
    return { messages, ...(next === undefined ? {} : { next }) };
  };
}

interface Partition {
  readonly name: 'subscription_id' | 'payment_id';
  readonly value: string;
}

/** Where the messages are found, and which of their attributes must be equal to what. */
function sourceOf(of: MessagesOf, { state, eventType: event_type }: PageWanted) {
  const isByPayment = of.paymentId !== undefined;
  const partition: Partition = isByPayment
    ? { name: 'payment_id', value: of.paymentId }
    : { name: 'subscription_id', value: of.subscriptionId };
  // Payment ids are unique to a service, not beyond.
  const ofPayment = isByPayment ? { service_id: of.serviceId, subscription_id: of.subscriptionId } : {};
  const equal = Object.entries({ ...ofPayment, state, event_type }).filter(
    (one): one is [string, string] => one[1] !== undefined,
  );
  return { index: isByPayment ? historyTable.byPayment : historyTable.bySubscription, partition, equal };
}

/** DynamoDB takes one condition on a sort key, and BETWEEN has both its ends in. */
function timeOf({ since, until }: PageWanted) {
  if (since !== undefined && until !== undefined) {
    return {
      condition: ['#admitted_at BETWEEN :since AND :last'],
      values: { ':since': since, ':last': instant(Date.parse(until) - 1) },
    };
  }
  if (since !== undefined) {
    return { condition: ['#admitted_at >= :since'], values: { ':since': since } };
  }
  return until === undefined
    ? { condition: [], values: {} }
    : { condition: ['#admitted_at < :until'], values: { ':until': until } };
}

/** DynamoDB refuses a place outside the span of time; all of the span comes after one that is not before its end. */
function startingAfter({ after, until }: PageWanted, { name, value }: Partition) {
  if (after === undefined || (until !== undefined && after.admitted_at >= until)) {
    return {};
  }
  const { message_id, admitted_at } = after;
  return {
    ExclusiveStartKey: marshall({
      [historyTable.partitionKey]: message_id,
      [historyTable.sortKey]: historyTable.messageItem,
      [name]: value,
      admitted_at,
    }),
  };
}

function positionIn(key: Record<string, AttributeValue>): Position {
  const { message_id, admitted_at } = unmarshall(key);
  return positionSchema.parse({ message_id, admitted_at });
}
