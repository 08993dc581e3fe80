import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type MessageRecord, messageRecordSchema } from '../../../core/message/history.ts';
import { isFinal } from '../../../core/message/outcome.ts';
import { queuedMessageSchema } from '../../../core/ordering/blocked-ordering-key.ts';
import type { OrderingKeyStore, Waiting } from '../../../core/ordering/ports.ts';
import { historyItemName } from '../history/history-items.ts';
import { readMessage } from '../history/message-item.ts';
import { resourceIn } from '../history/stored-resource.ts';
import type { Item } from '../marshalled.ts';
import { read } from '../readable.ts';
import { batchGet } from '../table-batch.ts';
import { messageAddress, orderingKeysTable, resourceAddress } from '../table-keys.ts';
import { unmarshalled } from '../unmarshalled.ts';

/**
 * More than a worker gets through in its time, yet few enough for one read of the history.
 */
const MAX_WAITING = 25;

interface Tables {
  readonly orderingKeys: string;
  readonly history: string;
}

/**
 * Reads the queued messages of an ordering key from the first on, with their records and separately stored
 * resources.
 */
export function orderingKeyReader(
  client: DynamoDBClient,
  tables: Tables,
  max = MAX_WAITING,
): OrderingKeyStore['waitingIn'] {
  return async (orderingKey) => {
    const { first, isAll } = await firstWaiting(client, tables.orderingKeys, orderingKey, max);
    const items = await historyOf(
      client,
      tables.history,
      first.filter(isReadable).map(({ queuedMessage }) => messageAddress(queuedMessage.message_id)),
    );
    const waiting = first.map((one) => withRecord(one, items));
    const resources = await historyOf(
      client,
      tables.history,
      waiting.filter(needsResource).map(({ record }) => resourceAddress(record)),
    );
    return { waiting: waiting.map((one) => withResource(one, resources)), isAll };
  };
}

async function firstWaiting(client: DynamoDBClient, table: string, orderingKey: string, max: number) {
  const { Items = [], LastEvaluatedKey } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: '#key = :key AND begins_with(#item, :queued)',
      ExpressionAttributeNames: {
        '#key': orderingKeysTable.partitionKey,
        '#item': orderingKeysTable.sortKey,
      },
      ExpressionAttributeValues: marshall({
        ':key': orderingKey,
        ':queued': orderingKeysTable.queuedMessagePrefix,
      }),
      // Reads one more than wanted to see whether there are more: DynamoDB also returns a last key at the
      // very end.
      Limit: max + 1,
      ConsistentRead: true,
    }),
  );
  return {
    first: Items.slice(0, max).map((item) => queuedMessageOf(orderingKey, unmarshalled(item))),
    isAll: Items.length <= max && LastEvaluatedKey === undefined,
  };
}

/** An unreadable message keeps its position in the ordering key, from which an operator can remove it. */
function queuedMessageOf(orderingKey: string, item: Item): Waiting {
  const queuedMessage = read(item, queuedMessageSchema, orderingKeysTable.sortKey);
  return queuedMessage instanceof Error
    ? {
        queuedMessage: { ...UNKNOWN, ordering_key: orderingKey, position: positionIn(item) },
        internalError: queuedMessage,
      }
    : { queuedMessage };
}

const UNKNOWN = { message_id: '', since: new Date(0).toISOString(), failed_attempts: 0 };

function positionIn(item: Item): string {
  return String(item[orderingKeysTable.sortKey]).slice(orderingKeysTable.queuedMessagePrefix.length);
}

/** History items by their names. */
async function historyOf(
  client: DynamoDBClient,
  table: string,
  keys: readonly Item[],
): Promise<Map<string, Item>> {
  const found = (await batchGet(client, [{ table, keys }])).get(table) ?? [];
  return new Map(found.map((item) => [historyItemName(item), item]));
}

function isReadable({ internalError }: Waiting): boolean {
  return internalError === undefined;
}

function withRecord(one: Waiting, items: ReadonlyMap<string, Item>): Waiting {
  const item = items.get(historyItemName(messageAddress(one.queuedMessage.message_id)));
  const record = item && readMessage(item, messageRecordSchema);
  if (record === undefined) {
    return one;
  }
  return record instanceof Error ? { ...one, internalError: record } : { ...one, record };
}

/** Whether the message will be sent and its body is stored in a separate item. */
function needsResource(one: Waiting): one is Waiting & { readonly record: MessageRecord } {
  return one.record !== undefined && one.record.resource === undefined && !isFinal(one.record);
}

function withResource(one: Waiting, items: ReadonlyMap<string, Item>): Waiting {
  const item = needsResource(one) ? items.get(historyItemName(resourceAddress(one.record))) : undefined;
  if (item === undefined) {
    return one;
  }
  try {
    return { ...one, resource: resourceIn(item) };
  } catch (error) {
    return { ...one, internalError: error as Error };
  }
}
