import {
  type ConditionCheck,
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  type Update,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { RefusedError } from '../../../core/errors/refused-error.ts';
import type { BlockedKey } from '../../../core/ordering/blocked-ordering-key.ts';
import type { Commit, DeliverPorts } from '../../../pipeline/deliver/ports.ts';
import { historyItems } from '../history/history-items.ts';
import type { Item } from '../marshalled.ts';
import { marshalled } from '../marshalled.ts';
import { refusalOf } from '../refusal.ts';
import { historyTable, orderingKeysTable } from '../table-keys.ts';
import { untilDone } from '../until-done.ts';
import {
  orderingKeyAddress,
  orderingKeyItem,
  queuedMessageAddress,
  queuedMessageItemOf,
} from './ordering-key-item.ts';

/** Source: TransactWriteItems, Amazon DynamoDB API Reference. */
const MAX_ACTIONS = 100;

/** Pass by themselves: somebody else's transaction on the same items, or too much at once. */
const PASSING = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

type Condition = 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues';

interface Tables {
  readonly keys: string;
  readonly history: string;
}

/** Writes a commit in one transaction, tried again under its own token: DynamoDB answers what it had already written as if it were new. */
export function orderingKeyCommitter(
  client: DynamoDBClient,
  tables: Tables,
  retentionDays: number,
): DeliverPorts['commit'] {
  return async (commit) => {
    const TransactItems = actionsOf(commit, tables, retentionDays);
    if (TransactItems.length > MAX_ACTIONS) {
      throw new RefusedError(
        `${commit.orderingKey}: ${TransactItems.length} writes, of at most ${MAX_ACTIONS}`,
      );
    }
    const command = new TransactWriteItemsCommand({ ClientRequestToken: commit.token, TransactItems });
    let refusal: unknown;
    let isOvertaken = false;
    const left = await untilDone(command, async () => {
      try {
        await client.send(command);
      } catch (error) {
        const codes = codesOf(error);
        isOvertaken = codes.includes('ConditionalCheckFailed');
        if (!isOvertaken && !codes.some((code) => PASSING.has(code))) {
          throw refusalOf(error) ?? error;
        }
        refusal = error;
        return isOvertaken ? undefined : command;
      }
      return undefined;
    });
    if (left !== undefined) {
      throw refusal;
    }
    return isOvertaken ? 'overtaken' : 'written';
  };
}

/** The key comes first. */
function actionsOf(commit: Commit, { keys, history }: Tables, retentionDays: number): TransactWriteItem[] {
  const { orderingKey, queuedMessages, removed, outcomes } = commit;
  const kept = new Set(queuedMessages.map(({ place: position }) => position));
  return [
    keyAction(commit, keys),
    ...queuedMessages.map((queuedMessage) => put(keys, queuedMessageItemOf(queuedMessage))),
    ...removed
      .filter((position) => !kept.has(position))
      .map((position) => ({
        Delete: { TableName: keys, Key: marshall(queuedMessageAddress(orderingKey, position)) },
      })),
    ...historyItems(outcomes, retentionDays).map((item) => ({
      Put: { TableName: history, Item: marshalled(item), ...onlyWithout(mustNotBeThere(item)) },
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

/** Of a key behind whose messages others are added. Whoever has read that there were no more would delete it, and these would be forgotten. */
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

/** Nobody has paused or changed the key since it was read. Who only moves a check of it leaves the revision as it is. */
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
 * What must not be on record yet. A message that is asked for again was read with its body: erased meanwhile, it must not come back. And what has ended
 * stays as it ended until somebody asks for it: of two workers on a payment the slower one may have heard otherwise.
 */
function mustNotBeThere(item: Item): string[] {
  const isMessage = item[historyTable.sortKey] === historyTable.messageItem;
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

function codesOf(error: unknown): string[] {
  return error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).map(({ Code }) => Code ?? 'None')
    : [];
}
