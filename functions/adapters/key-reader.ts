import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { type MessageRecord, messageRecordSchema } from '../core/history.ts';
import { type Pointer, pointerSchema } from '../core/key-lifecycle.ts';
import { resourceKey } from '../core/message.ts';
import { isFinal } from '../core/outcome.ts';
import type { DeliverPorts, Waiting } from '../deliver/ports.ts';
import { read } from './readable.ts';
import { batchGet, type Item } from './table-batch.ts';
import { eventPartition, historyTable, keysTable } from './table-keys.ts';

/** More than one worker gets through in its time, and few enough for one look at the history. */
const MOST_WAITING = 25;

const resourceItemSchema = z.object({ resource: z.string() });

interface Tables {
  readonly keys: string;
  readonly history: string;
}

/** Reads the pointers of a key from the first on, their messages, and the resources that lie apart from these. */
export function keyReader(client: DynamoDBClient, tables: Tables): DeliverPorts['waitingIn'] {
  return async (orderingKey) => {
    const { pointers, isAll } = await firstPointers(client, tables.keys, orderingKey);
    const items = await historyOf(
      client,
      tables.history,
      pointers.map(({ message_id }) => [message_id, historyTable.messageItem]),
    );
    const records = pointers.map(({ message_id }) => {
      const item = items.get(message_id);
      return item === undefined ? undefined : read(item, messageRecordSchema, 'message_id');
    });
    const resources = await historyOf(
      client,
      tables.history,
      records.filter(needsResource).map((record) => [partitionOf(record), historyTable.resourceItem]),
    );
    return {
      waiting: pointers.map((pointer, index) => waiting(pointer, records[index], resources)),
      isAll,
    };
  };
}

async function firstPointers(client: DynamoDBClient, table: string, orderingKey: string) {
  const { Items = [], LastEvaluatedKey } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: '#key = :key AND begins_with(#item, :pointer)',
      ExpressionAttributeNames: { '#key': keysTable.partitionKey, '#item': keysTable.sortKey },
      ExpressionAttributeValues: marshall({ ':key': orderingKey, ':pointer': keysTable.pointerPrefix }),
      // One more than wanted tells whether there is more: DynamoDB's own sign also comes at the very end.
      Limit: MOST_WAITING + 1,
      ConsistentRead: true,
    }),
  );
  const pointers: Pointer[] = Items.slice(0, MOST_WAITING).map((item) =>
    pointerSchema.parse(unmarshall(item)),
  );
  return { pointers, isAll: Items.length <= MOST_WAITING && LastEvaluatedKey === undefined };
}

/** Items of the history by their partition. */
async function historyOf(
  client: DynamoDBClient,
  table: string,
  wanted: readonly (readonly [partition: string, item: string])[],
): Promise<Map<string, Item>> {
  const { partitionKey, sortKey } = historyTable;
  const keys = wanted.map(([partition, item]) => ({ [partitionKey]: partition, [sortKey]: item }));
  const found = (await batchGet(client, [{ table, keys }])).get(table) ?? [];
  return new Map(found.map((item) => [String(item[partitionKey]), item]));
}

/** Whether it will be sent, and its body does not lie in its own item. */
function needsResource(record: MessageRecord | Error | undefined): record is MessageRecord {
  return record !== undefined && !(record instanceof Error) && record.body === undefined && !isFinal(record);
}

function partitionOf(record: MessageRecord): string {
  return eventPartition(resourceKey(record));
}

function waiting(
  pointer: Pointer,
  record: MessageRecord | Error | undefined,
  resources: ReadonlyMap<string, Item>,
): Waiting {
  if (record === undefined) {
    return { pointer };
  }
  if (record instanceof Error) {
    return { pointer, fault: record };
  }
  const item = needsResource(record) ? resources.get(partitionOf(record)) : undefined;
  const resource = item && read(item, resourceItemSchema, 'message_id');
  if (resource instanceof Error) {
    return { pointer, record, fault: resource };
  }
  return { pointer, record, ...(resource === undefined ? {} : { resource: resource.resource }) };
}
