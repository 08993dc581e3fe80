import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import type { MessageHistory } from '../api/message-history.ts';
import { attemptSchema } from '../core/attempt.ts';
import { type Position, positionSchema } from '../core/cursor.ts';
import { messageRecordSchema } from '../core/history.ts';
import { messageSummarySchema } from '../core/message-view.ts';
import { eventPartition, historyTable } from './table-keys.ts';

const resourceItemSchema = z.object({ resource: z.string() });

/** So many messages are looked through for those in one state: about half a megabyte, a few hundredths of a second. */
const MOST_EXAMINED = 1_000;

export function historyReader(client: DynamoDBClient, table: string): MessageHistory {
  return {
    async page(subscriptionId, { limit, after, state }) {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: historyTable.bySubscription,
          KeyConditionExpression: '#subscription_id = :subscription_id',
          ...(state === undefined ? {} : { FilterExpression: '#state = :state' }),
          ExpressionAttributeNames: {
            '#subscription_id': 'subscription_id',
            ...(state === undefined ? {} : { '#state': 'state' }),
          },
          ExpressionAttributeValues: marshall(
            { ':subscription_id': subscriptionId, ':state': state },
            { removeUndefinedValues: true },
          ),
          ScanIndexForward: false,
          // One more than wanted tells whether there is more: DynamoDB's own sign also comes at the very end.
          Limit: state === undefined ? limit + 1 : MOST_EXAMINED,
          ...(after === undefined ? {} : { ExclusiveStartKey: indexKeyOf(subscriptionId, after) }),
        }),
      );
      const messages = Items.slice(0, limit).map((item) => messageSummarySchema.parse(unmarshall(item)));
      const next = Items.length > limit ? messages.at(-1) : LastEvaluatedKey && positionIn(LastEvaluatedKey);
      return { messages, ...(next === undefined ? {} : { next }) };
    },

    async find(messageId) {
      const items = await collection(client, table, messageId);
      const message = items.find((item) => item[historyTable.sortKey] === historyTable.messageItem);
      return message === undefined
        ? undefined
        : {
            record: messageRecordSchema.parse(message),
            laterAttempts: items.filter(isAttempt).map((item) => attemptSchema.parse(item)),
          };
    },

    async resource(resourceKey) {
      const { Item } = await client.send(
        new GetItemCommand({
          TableName: table,
          Key: keyOf(eventPartition(resourceKey), historyTable.resourceItem),
        }),
      );
      return Item === undefined ? undefined : resourceItemSchema.parse(unmarshall(Item)).resource;
    },
  };
}

/** All items of a message, in the order of their sort keys: attempts as they happened, then the message. */
async function collection(client: DynamoDBClient, table: string, messageId: string) {
  const items: Record<string, unknown>[] = [];
  let startKey: Record<string, AttributeValue> | undefined;
  do {
    const page: QueryCommandOutput = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: '#message_id = :message_id',
        ExpressionAttributeNames: { '#message_id': historyTable.partitionKey },
        ExpressionAttributeValues: marshall({ ':message_id': messageId }),
        ...(startKey === undefined ? {} : { ExclusiveStartKey: startKey }),
      }),
    );
    items.push(...(page.Items ?? []).map((item) => unmarshall(item)));
    startKey = page.LastEvaluatedKey;
  } while (startKey !== undefined);
  return items;
}

function isAttempt(item: Readonly<Record<string, unknown>>): boolean {
  return String(item[historyTable.sortKey]).startsWith('attempt#');
}

function indexKeyOf(subscriptionId: string, { message_id, admitted_at }: Position) {
  return {
    ...keyOf(message_id, historyTable.messageItem),
    ...marshall({ subscription_id: subscriptionId, admitted_at }),
  };
}

function positionIn(key: Record<string, AttributeValue>): Position {
  const { message_id, admitted_at } = unmarshall(key);
  return positionSchema.parse({ message_id, admitted_at });
}

function keyOf(messageId: string, item: string) {
  return marshall({ [historyTable.partitionKey]: messageId, [historyTable.sortKey]: item });
}
