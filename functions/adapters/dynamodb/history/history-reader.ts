import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { attemptSchema } from '../../../core/attempt/attempt.ts';
import { messageRecordSchema } from '../../../core/message/history.ts';
import type { MessageHistory } from '../../../core/message/message-history.ts';
import { eventPartition, historyTable, isAttemptItem } from '../table-keys.ts';
import { courseReader } from './course-reader.ts';
import { historyPages } from './history-pages.ts';

const resourceItemSchema = z.object({ resource: z.string() });

export function historyReader(client: DynamoDBClient, table: string): MessageHistory {
  return {
    page: historyPages(client, table),
    course: courseReader(client, table),

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

/** All items of a message in the order of their sort keys: the attempts in order, then the message. */
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
  return isAttemptItem(String(item[historyTable.sortKey]));
}

function keyOf(messageId: string, item: string) {
  return marshall({ [historyTable.partitionKey]: messageId, [historyTable.sortKey]: item });
}
