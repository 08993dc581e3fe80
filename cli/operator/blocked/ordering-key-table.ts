import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { keyAddress } from '../../../functions/adapters/dynamodb/ordering-keys/ordering-key-item.ts';
import { queryPages } from '../../../functions/adapters/dynamodb/query-pages.ts';
import { read, readable } from '../../../functions/adapters/dynamodb/readable.ts';
import { batchGet } from '../../../functions/adapters/dynamodb/table-batch.ts';
import { historyTable, keysTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { type MessageRecord, messageRecordSchema } from '../../../functions/core/message/history.ts';
import {
  type PausedKey,
  type Pointer,
  pausedKeySchema,
  pointerSchema,
} from '../../../functions/core/ordering/blocked-ordering-key.ts';

export type FaultedKey = PausedKey & { readonly state: 'fault' };

/** A message that waits; without its record when the history does not know it or it cannot be read. Never with its body. */
export interface WaitingMessage {
  readonly pointer: Pointer;
  readonly record: Omit<MessageRecord, 'body'> | undefined;
}

/** Paused keys, as an operator looks at them. */
export interface KeyTable {
  /** Those that wait for an operator, the oldest first; may lag by a second. `onFault` hears of those that cannot be read. */
  faulted(most: number, onFault: (fault: Error) => void): Promise<readonly FaultedKey[]>;
  /** Undefined when it is not paused. @throws when it is there and cannot be read */
  key(orderingKey: string): Promise<PausedKey | undefined>;
  /** The first messages that wait in a key, in their order, and how many there are in all. */
  waiting(
    orderingKey: string,
    most: number,
  ): Promise<{ readonly first: readonly WaitingMessage[]; readonly count: number }>;
}

export function keyTable(client: DynamoDBClient, tables: { keys: string; history: string }): KeyTable {
  return {
    async faulted(most, onFault) {
      const pages = queryPages(client, {
        TableName: tables.keys,
        IndexName: keysTable.faulted,
        KeyConditionExpression: '#faulted = :yes',
        ExpressionAttributeNames: { '#faulted': 'faulted' },
        ExpressionAttributeValues: marshall({ ':yes': keysTable.isFaulted }),
        Limit: most,
      });
      const keys: FaultedKey[] = [];
      for await (const items of pages) {
        const found = readable(items, pausedKeySchema, keysTable.partitionKey, onFault);
        keys.push(...found.filter((key) => key.state === 'fault'));
        if (keys.length >= most) {
          break;
        }
      }
      return keys.slice(0, most);
    },

    async key(orderingKey) {
      const { Item } = await client.send(
        new GetItemCommand({
          TableName: tables.keys,
          Key: marshall(keyAddress(orderingKey)),
          ConsistentRead: true,
        }),
      );
      const key = Item && read(unmarshall(Item), pausedKeySchema, keysTable.partitionKey);
      if (key instanceof Error) {
        throw key;
      }
      return key;
    },

    async waiting(orderingKey, most) {
      const pages = queryPages(client, {
        TableName: tables.keys,
        KeyConditionExpression: '#key = :key AND begins_with(#item, :pointer)',
        ExpressionAttributeNames: { '#key': keysTable.partitionKey, '#item': keysTable.sortKey },
        ExpressionAttributeValues: marshall({ ':key': orderingKey, ':pointer': keysTable.pointerPrefix }),
        ConsistentRead: true,
      });
      const first: Pointer[] = [];
      let count = 0;
      for await (const items of pages) {
        count += items.length;
        for (const item of items.slice(0, most - first.length)) {
          const pointer = read(item, pointerSchema, keysTable.sortKey);
          first.push(
            pointer instanceof Error ? unreadable(orderingKey, String(item[keysTable.sortKey])) : pointer,
          );
        }
      }
      const records = await recordsOf(client, tables.history, first);
      return { first: first.map((pointer) => ({ pointer, record: records.get(pointer.message_id) })), count };
    },
  };
}

function unreadable(ordering_key: string, item: string): Pointer {
  const place = item.slice(keysTable.pointerPrefix.length);
  return { ordering_key, place, message_id: 'cannot be read', since: '', failed_attempts: 0 };
}

async function recordsOf(client: DynamoDBClient, table: string, pointers: readonly Pointer[]) {
  const { partitionKey, sortKey, messageItem } = historyTable;
  const keys = pointers.map(({ message_id }) => ({ [partitionKey]: message_id, [sortKey]: messageItem }));
  const items = (await batchGet(client, [{ table, keys }])).get(table) ?? [];
  const records = readable(items, messageRecordSchema, partitionKey, () => {});
  return new Map(records.map(({ body: _, ...record }) => [record.message_id, record]));
}
