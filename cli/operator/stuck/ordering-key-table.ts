import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { chunks } from '../../../functions/adapters/dynamodb/chunks.ts';
import { messageIn } from '../../../functions/adapters/dynamodb/history/message-item.ts';
import { COURSE_ATTRIBUTES } from '../../../functions/adapters/dynamodb/history/payment-reader.ts';
import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import { orderingKeyAddress } from '../../../functions/adapters/dynamodb/ordering-keys/ordering-key-item.ts';
import { queryPages } from '../../../functions/adapters/dynamodb/query-pages.ts';
import { read, readable } from '../../../functions/adapters/dynamodb/readable.ts';
import { messageAddress, orderingKeysTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { type MessageRecord, messageRecordSchema } from '../../../functions/core/message/history.ts';
import {
  type BlockedKey,
  blockedKeySchema,
  type QueuedMessage,
  queuedMessageSchema,
} from '../../../functions/core/ordering/blocked-ordering-key.ts';
import { stuckItems } from './stuck-items.ts';

/** Records that are read at the same time. */
const AT_ONCE = 10;

export type StuckKey = BlockedKey & { readonly state: 'stuck' };

/**
 * A message that waits, without its body; without its record when the history does not know it or it cannot
 * be read.
 */
export interface WaitingMessage {
  readonly queuedMessage: QueuedMessage;
  readonly record: Omit<MessageRecord, 'resource'> | undefined;
}

export type OrderingKeyTable = ReturnType<typeof orderingKeyTable>;

export function orderingKeyTable(client: DynamoDBClient, tables: { orderingKeys: string; history: string }) {
  return {
    /** Those that wait for an operator, the oldest first; may lag by a second. */
    async stuck(max: number, onUnreadable: (internalError: Error) => void): Promise<readonly StuckKey[]> {
      const found = await stuckItems(client, {
        table: tables.orderingKeys,
        keys: orderingKeysTable,
        schema: blockedKeySchema,
        max,
        onUnreadable,
      });
      return found.filter((key) => key.state === 'stuck');
    },

    /** Undefined when it is not blocked. @throws when it is there and cannot be read */
    async key(orderingKey: string) {
      const { Item } = await client.send(
        new GetItemCommand({
          TableName: tables.orderingKeys,
          Key: marshall(orderingKeyAddress(orderingKey)),
          ConsistentRead: true,
        }),
      );
      const key = Item && read(unmarshall(Item), blockedKeySchema, orderingKeysTable.partitionKey);
      if (key instanceof Error) {
        throw key;
      }
      return key;
    },

    /** The first queued messages of an ordering key, in their order, and how many there are in all. */
    async waiting(orderingKey: string, max: number) {
      const pages = queryPages(client, {
        TableName: tables.orderingKeys,
        KeyConditionExpression: '#key = :key AND begins_with(#item, :queued)',
        ExpressionAttributeNames: {
          '#key': orderingKeysTable.partitionKey,
          '#item': orderingKeysTable.sortKey,
        },
        ExpressionAttributeValues: marshall({
          ':key': orderingKey,
          ':queued': orderingKeysTable.queuedMessagePrefix,
        }),
        ConsistentRead: true,
      });
      const first: QueuedMessage[] = [];
      let count = 0;
      for await (const items of pages) {
        count += items.length;
        for (const item of items.slice(0, max - first.length)) {
          const queuedMessage = read(item, queuedMessageSchema, orderingKeysTable.sortKey);
          first.push(
            queuedMessage instanceof Error
              ? unreadable(orderingKey, String(item[orderingKeysTable.sortKey]))
              : queuedMessage,
          );
        }
      }
      const records = await recordsOf(client, tables.history, first);
      return {
        first: first.map(
          (queuedMessage): WaitingMessage => ({
            queuedMessage,
            record: records.get(queuedMessage.message_id),
          }),
        ),
        count,
      };
    },
  };
}

function unreadable(ordering_key: string, item: string): QueuedMessage {
  const position = item.slice(orderingKeysTable.queuedMessagePrefix.length);
  return { ordering_key, position, message_id: 'cannot be read', since: '', failed_attempts: 0 };
}

/** What the history has of queued messages, without what they say: the person on call may read no more. */
export async function recordsOf(
  client: DynamoDBClient,
  table: string,
  queuedMessages: readonly QueuedMessage[],
) {
  const itemOf = async ({ message_id }: QueuedMessage) => {
    const { Item } = await client.send(
      new GetItemCommand({
        TableName: table,
        Key: marshall(messageAddress(message_id)),
        ConsistentRead: true,
        ProjectionExpression: COURSE_ATTRIBUTES.map((_, index) => `#a${index}`).join(', '),
        ExpressionAttributeNames: Object.fromEntries(
          COURSE_ATTRIBUTES.map((name, index) => [`#a${index}`, name]),
        ),
      }),
    );
    return Item === undefined ? [] : [messageIn(unmarshall(Item))];
  };
  const items: Item[] = [];
  for (const some of chunks(queuedMessages, AT_ONCE)) {
    items.push(...(await Promise.all(some.map(itemOf))).flat());
  }
  const records = readable(items, messageRecordSchema, 'message_id', () => {});
  return new Map(records.map((record) => [record.message_id, record]));
}
