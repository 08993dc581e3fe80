import { randomUUID } from 'node:crypto';
import type { DynamoDBClient, Put, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { chunks } from '../../../functions/adapters/dynamodb/chunks.ts';
import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import { revisionAdvance } from '../../../functions/adapters/dynamodb/ordering-keys/ordering-key-committer.ts';
import {
  orderingKeyAddress,
  orderingKeyItem,
  queuedMessageItemOf,
} from '../../../functions/adapters/dynamodb/ordering-keys/ordering-key-item.ts';
import { partitionItems } from '../../../functions/adapters/dynamodb/query-pages.ts';
import { readable } from '../../../functions/adapters/dynamodb/readable.ts';
import { orderingKeysTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { transact } from '../../../functions/adapters/dynamodb/transaction.ts';
import type { DeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';
import {
  type BlockedKey,
  blockedKeySchema,
  queuedMessageSchema,
  withOthersBehind,
} from '../../../functions/core/ordering/blocked-ordering-key.ts';
import { recordsOf } from '../stuck/ordering-key-table.ts';
import type { Counts } from './restore-report.ts';
import { PATIENCE_MS } from './restore-table.ts';
import { restoredOrderingKey } from './restored-ordering-key.ts';

/** Source: TransactWriteItems, Amazon DynamoDB API Reference; one of them is the ordering key. */
const MAX_POINTERS = 99;

interface Copying {
  readonly client: DynamoDBClient;
  readonly tables: { readonly orderingKeys: string; readonly history: string; readonly from: string };
  readonly goes: boolean;
  readonly policy: DeliveryPolicy;
}

/** Restores the ordering keys of a page, each with all its queued messages of then and now. */
export async function copyOrderingKeys(
  items: readonly Item[],
  counts: Counts,
  copying: Copying,
): Promise<void> {
  counts.lookedAt += items.length;
  // An ordering key on two pages is seen twice: the second time nothing is missing.
  for (const orderingKey of new Set(items.map((item) => String(item[orderingKeysTable.partitionKey])))) {
    await copyKey(orderingKey, counts, copying);
  }
}

async function copyKey(
  orderingKey: string,
  counts: Counts,
  { client, tables, goes, policy }: Copying,
): Promise<void> {
  const earlier = await collection(client, tables.from, orderingKey);
  const now = await collection(client, tables.orderingKeys, orderingKey);
  const { key, queuedMessages, ended, unknown } = restoredOrderingKey(
    {
      earlier,
      now: { key: now.key, positions: new Set(now.queuedMessages.map(({ position }) => position)) },
      records: await recordsOf(client, tables.history, earlier.queuedMessages),
    },
    Date.now(),
    policy,
  );
  const copied = queuedMessages.length + (key === undefined ? 0 : 1);
  counts.ended += ended;
  counts.unknown += unknown;
  counts.same += earlier.queuedMessages.length - queuedMessages.length - ended - unknown;
  if (!goes || copied === 0) {
    counts.missing += copied;
    return;
  }
  const parts = chunks(queuedMessages.map(queuedMessageItemOf), MAX_POINTERS);
  const steps = parts.length === 0 ? [[]] : parts;
  let known = now.key;
  for (const [index, part] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const next = known === undefined ? (isLast ? key : undefined) : withOthersBehind(known);
    const isWritten = await writeAll(client, tables.orderingKeys, part, { orderingKey, known, next });
    const isNew = known === undefined && next !== undefined;
    counts[isWritten ? 'missing' : 'overtaken'] += part.length + (isNew ? 1 : 0);
    known = known && next;
  }
}

async function collection(client: DynamoDBClient, table: string, orderingKey: string) {
  const items = await partitionItems(client, table, orderingKeysTable, orderingKey);
  const isKey = (item: Item) => item[orderingKeysTable.sortKey] === orderingKeysTable.keyItem;
  const fail = (internalError: Error) => {
    throw internalError;
  };
  const [key] = readable(items.filter(isKey), blockedKeySchema, orderingKeysTable.partitionKey, fail);
  const queuedMessages = readable(
    items.filter((item) => !isKey(item)),
    queuedMessageSchema,
    orderingKeysTable.partitionKey,
    fail,
  );
  return { key, queuedMessages };
}

/** An ordering key as it was read, and as it becomes; undefined: not blocked. */
interface KeyChange {
  readonly orderingKey: string;
  readonly known: BlockedKey | undefined;
  readonly next: BlockedKey | undefined;
}

/** Writes all or nothing: if none is there and the ordering key has not changed since it was read. */
async function writeAll(
  client: DynamoDBClient,
  table: string,
  queuedMessages: readonly Item[],
  change: KeyChange,
): Promise<boolean> {
  const TransactItems = [
    keyAction(table, change),
    ...queuedMessages.map((item) => ({ Put: putNew(table, item) })),
  ];
  return (
    (await transact(client, { ClientRequestToken: randomUUID(), TransactItems }, PATIENCE_MS)) === 'written'
  );
}

/**
 * The ordering key comes with the last queued message, so nobody proceeds with it before. An existing one
 * gets each write, or it would be deleted without them.
 */
function keyAction(TableName: string, { orderingKey, known, next }: KeyChange): TransactWriteItem {
  if (known !== undefined && next !== undefined) {
    return { Update: revisionAdvance(TableName, known, next) };
  }
  return next === undefined
    ? { ConditionCheck: { TableName, Key: marshall(orderingKeyAddress(orderingKey)), ...UNLESS_THERE } }
    : { Put: putNew(TableName, orderingKeyItem(next)) };
}

const UNLESS_THERE = {
  ConditionExpression: 'attribute_not_exists(#key)',
  ExpressionAttributeNames: { '#key': orderingKeysTable.partitionKey },
} as const;

function putNew(TableName: string, item: Item): Put {
  return { TableName, Item: marshall(item, { removeUndefinedValues: true }), ...UNLESS_THERE };
}
