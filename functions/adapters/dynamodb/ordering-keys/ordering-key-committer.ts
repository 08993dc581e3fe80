import type { ConditionCheck, DynamoDBClient, TransactWriteItem, Update } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { RefusedError } from '../../../core/errors/refused-error.ts';
import type { BlockedKey } from '../../../core/ordering/blocked-ordering-key.ts';
import type { Commit, OrderingKeyStore } from '../../../core/ordering/ports.ts';
import { historyItems } from '../history/history-items.ts';
import type { Item } from '../marshalled.ts';
import { marshalled } from '../marshalled.ts';
import { historyTable, isMessageItem, orderingKeysTable } from '../table-keys.ts';
import { transact } from '../transaction.ts';
import {
  orderingKeyAddress,
  orderingKeyItem,
  queuedMessageAddress,
  queuedMessageItemOf,
} from './ordering-key-item.ts';

/** Source: TransactWriteItems, Amazon DynamoDB API Reference. */
const MAX_ACTIONS = 100;

type Condition = 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues';

/** A feed may have leased a message since it was read: it goes only once its lease has a result. */
const NOT_IN_HAND = {
  ConditionExpression: 'attribute_not_exists(#lease) OR attribute_exists(#lease.#result)',
  ExpressionAttributeNames: { '#lease': 'lease', '#result': 'result' },
};

interface Tables {
  readonly orderingKeys: string;
  readonly history: string;
}

/** Writes a commit in one transaction; see `transact`. */
export function orderingKeyCommitter(
  client: DynamoDBClient,
  tables: Tables,
  retentionDays: number,
): OrderingKeyStore['commit'] {
  return async (commit) => {
    const TransactItems = actionsOf(commit, tables, retentionDays);
    if (TransactItems.length > MAX_ACTIONS) {
      throw new RefusedError(
        `${commit.orderingKey}: ${TransactItems.length} writes, of at most ${MAX_ACTIONS}`,
      );
    }
    return transact(client, { ClientRequestToken: commit.token, TransactItems });
  };
}

/** The ordering key comes first. */
function actionsOf(
  commit: Commit,
  { orderingKeys: keys, history }: Tables,
  retentionDays: number,
): TransactWriteItem[] {
  const { orderingKey, queuedMessages, removed, outcomes } = commit;
  const kept = new Set(queuedMessages.map(({ position }) => position));
  return [
    keyAction(commit, keys),
    ...queuedMessages.map((queuedMessage) => put(keys, queuedMessageItemOf(queuedMessage))),
    ...removed
      .filter((position) => !kept.has(position))
      .map((position) => ({
        Delete: {
          TableName: keys,
          Key: marshall(queuedMessageAddress(orderingKey, position)),
          ...NOT_IN_HAND,
        },
      })),
    ...historyItems(outcomes, retentionDays).map((item) => ({
      Put: { TableName: history, Item: marshalled(item), ...onlyWithout(mustBeAbsent(item)) },
    })),
  ];
}

function keyAction(commit: Commit, table: string): TransactWriteItem {
  const { orderingKey, known, next } = commit;
  const asRead = { TableName: table, ...unchangedSince(known) };
  const Key = marshall(orderingKeyAddress(orderingKey));
  if (next === undefined) {
    return { Delete: { ...asRead, Key } };
  }
  return commit.isAddition && known !== undefined
    ? { Update: revisionAdvance(table, known, next) }
    : { Put: { ...asRead, Item: marshalled(orderingKeyItem(next)) } };
}

/**
 * For messages behind the head. Advancing the revision stops a worker that has read others, as one that would
 * delete the ordering key and lose what was added.
 */
export function revisionAdvance(table: string, known: BlockedKey, next: BlockedKey): Update {
  const { ExpressionAttributeValues, ...asRead } = unchangedSince(known);
  return {
    TableName: table,
    Key: marshall(orderingKeyAddress(known.ordering_key)),
    UpdateExpression: 'SET #revision = :next',
    ...asRead,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ...marshall({ ':next': next.revision }) },
  };
}

/**
 * The ordering key has not been blocked or changed since it was read. Moving a check leaves the revision as
 * it is.
 */
function unchangedSince(known: BlockedKey | undefined): Pick<ConditionCheck, Condition> {
  return known === undefined
    ? {
        ConditionExpression: 'attribute_not_exists(#key)',
        ExpressionAttributeNames: { '#key': orderingKeysTable.partitionKey },
      }
    : {
        ConditionExpression: '#revision = :revision',
        ExpressionAttributeNames: { '#revision': 'revision' },
        ExpressionAttributeValues: marshall({ ':revision': known.revision }),
      };
}

/**
 * Attributes that must not be on record yet. The body of a resent message may have been erased since it was
 * read, and must not come back. A message that has ended stays as it ended unless it is sent again: of two
 * workers on one payment, the slower may have seen another result.
 */
function mustBeAbsent(item: Item): string[] {
  const isMessage = isMessageItem(String(item[historyTable.sortKey]));
  return [
    ...('body_erased_at' in item ? [] : ['body_erased_at']),
    ...(isMessage && item.late !== true ? ['ended_at'] : []),
  ];
}

function onlyWithout(names: readonly string[]): Partial<Pick<ConditionCheck, Condition>> {
  return names.length === 0
    ? {}
    : {
        ConditionExpression: names.map((name) => `attribute_not_exists(#${name})`).join(' AND '),
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      };
}

function put(table: string, item: Item): TransactWriteItem {
  return { Put: { TableName: table, Item: marshalled(item) } };
}
