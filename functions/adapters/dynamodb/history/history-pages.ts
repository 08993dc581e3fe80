import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { positionSchema } from '../../../core/api/cursor.ts';
import type { MessageState, UndeliveredState } from '../../../core/message/message.ts';
import type { MessageHistory, Page, PageWanted } from '../../../core/message/message-history.ts';
import { messageSummarySchema } from '../../../core/message/message-view.ts';
import { instant } from '../../../core/text/instant.ts';
import type { Item } from '../marshalled.ts';
import { historyTable, messageAddress, undeliveredOf } from '../table-keys.ts';
import { messageIn } from './message-item.ts';

/** How many messages are examined for a page: about half a megabyte, some hundredths of a second. */
const MAX_EXAMINED = 1_000;

/** Reads pages of the messages of a subscription. */
export function historyPages(client: DynamoDBClient, table: string): MessageHistory['page'] {
  return async (subscriptionId, wanted) => {
    const { after, since } = wanted;
    if (after !== undefined && since !== undefined && after.admitted_at < since) {
      return { messages: [] };
    }
    const { index, keys, equal } = sourceOf(subscriptionId, wanted);
    const time = timeOf(wanted);
    const all = { ...keys, ...equal };
    const { Items = [], LastEvaluatedKey: last } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: index,
        KeyConditionExpression: [...Object.keys(keys).map(isAsWanted), ...time.condition].join(' AND '),
        ...(Object.keys(equal).length === 0
          ? {}
          : { FilterExpression: Object.keys(equal).map(isAsWanted).join(' AND ') }),
        ExpressionAttributeNames: {
          ...(time.condition.length === 0 ? {} : { '#admitted_at': 'admitted_at' }),
          ...Object.fromEntries(Object.keys(all).map((name) => [`#${name}`, name])),
        },
        ExpressionAttributeValues: marshall({
          ...time.values,
          ...Object.fromEntries(Object.entries(all).map(([name, value]) => [`:${name}`, value])),
        }),
        ScanIndexForward: false,
        // Reads one more than wanted to see whether there are more: DynamoDB also returns a last key at the
        // very end.
        Limit: Object.keys(equal).length === 0 ? wanted.limit + 1 : MAX_EXAMINED,
        ExclusiveStartKey: startingAfter(wanted, keys),
      }),
    );
    return pageFrom(
      Items.map((item) => unmarshall(item)),
      wanted,
      last && unmarshall(last),
    );
  };
}

const isAsWanted = (name: string) => `#${name} = :${name}`;

/** @param last the last key examined, unless the end was reached */
function pageFrom(items: readonly Item[], { limit }: PageWanted, last: Item | undefined): Page {
  const messages = items.slice(0, limit).map((item) => messageSummarySchema.parse(messageIn(item)));
  const next = items.length > limit ? messages.at(-1) : last && messageIn(last);
  return {
    messages,
    ...(next && {
      next: positionSchema.parse({ message_id: next.message_id, admitted_at: next.admitted_at }),
    }),
  };
}

/** The index to read, the attributes of its partition, and those to filter by. */
function sourceOf(subscription_id: string, { state, eventType: event_type }: PageWanted) {
  const ofType = event_type === undefined ? {} : { event_type };
  return isUndelivered(state)
    ? {
        index: historyTable.undelivered,
        keys: { undelivered: undeliveredOf(subscription_id, state) },
        equal: ofType,
      }
    : {
        index: historyTable.bySubscription,
        keys: { subscription_id },
        equal: { ...(state === undefined ? {} : { state }), ...ofType },
      };
}

function isUndelivered(state: MessageState | undefined): state is UndeliveredState {
  return state !== undefined && state !== 'succeeded';
}

/** DynamoDB allows one condition on a sort key, and BETWEEN includes both ends. */
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

/**
 * DynamoDB refuses a start key outside the time span; the whole span follows a start key at or after its end.
 */
function startingAfter({ after, until }: PageWanted, keys: Item) {
  if (after === undefined || (until !== undefined && after.admitted_at >= until)) {
    return undefined;
  }
  const { message_id, admitted_at } = after;
  return marshall({ ...messageAddress(message_id), ...keys, admitted_at });
}
