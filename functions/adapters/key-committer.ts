import {
  type ConditionCheck,
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { PausedKey } from '../core/key-lifecycle.ts';
import type { Commit, DeliverPorts } from '../deliver/ports.ts';
import { historyItems } from './history-items.ts';
import { keyAddress, keyItem, pointerAddress, pointerItemOf } from './key-item.ts';
import type { Item } from './table-batch.ts';
import { keysTable } from './table-keys.ts';
import { untilDone } from './until-done.ts';

/** Source: TransactWriteItems, Amazon DynamoDB API Reference. */
const MOST_ACTIONS = 100;

/** Pass by themselves: somebody else's transaction on the same items, or too much at once. */
const PASSING = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** A message that is asked for again was read with its body: when that has been erased meanwhile, it must not come back. */
const UNLESS_ERASED = {
  ConditionExpression: 'attribute_not_exists(#body_erased_at)',
  ExpressionAttributeNames: { '#body_erased_at': 'body_erased_at' },
} as const;

type Condition = 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues';

interface Tables {
  readonly keys: string;
  readonly history: string;
}

/** Writes a commit in one transaction, tried again under its own token: DynamoDB answers what it had already written as if it were new. */
export function keyCommitter(
  client: DynamoDBClient,
  tables: Tables,
  retentionDays: number,
): DeliverPorts['commit'] {
  return async (commit) => {
    const TransactItems = actionsOf(commit, tables, retentionDays);
    if (TransactItems.length > MOST_ACTIONS) {
      throw new RangeError(
        `${commit.orderingKey}: ${TransactItems.length} writes, of at most ${MOST_ACTIONS}`,
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
          throw error;
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
  const { orderingKey, pointers, removed, outcomes } = commit;
  const kept = new Set(pointers.map(({ place }) => place));
  return [
    keyAction(commit, keys),
    ...pointers.map((pointer) => put(keys, pointerItemOf(pointer))),
    ...removed
      .filter((place) => !kept.has(place))
      .map((place) => ({
        Delete: { TableName: keys, Key: marshall(pointerAddress(orderingKey, place)) },
      })),
    ...historyItems(outcomes, retentionDays).map((item) => ({
      Put: { TableName: history, Item: marshalled(item), ...('body_erased_at' in item ? {} : UNLESS_ERASED) },
    })),
  ];
}

function keyAction({ orderingKey, known, next }: Commit, table: string): TransactWriteItem {
  const asRead = { TableName: table, ...unchangedSince(known) };
  const Key = marshall(keyAddress(orderingKey));
  if (next === known) {
    return { ConditionCheck: { ...asRead, Key } };
  }
  return next === undefined
    ? { Delete: { ...asRead, Key } }
    : { Put: { ...asRead, Item: marshall(keyItem(next)) } };
}

/** Nobody has paused or changed the key since it was read. Who only moves its `check_at` leaves the revision as it is. */
function unchangedSince(known: PausedKey | undefined): Pick<ConditionCheck, Condition> {
  return known === undefined
    ? {
        ConditionExpression: 'attribute_not_exists(#key)',
        ExpressionAttributeNames: { '#key': keysTable.partitionKey },
      }
    : {
        ConditionExpression: '#revision = :revision',
        ExpressionAttributeNames: { '#revision': 'revision' },
        ExpressionAttributeValues: marshall({ ':revision': known.revision }),
      };
}

function put(table: string, item: Item): TransactWriteItem {
  return { Put: { TableName: table, Item: marshalled(item) } };
}

function marshalled(item: Item) {
  return marshall(item, { removeUndefinedValues: true });
}

function codesOf(error: unknown): string[] {
  return error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).map(({ Code }) => Code ?? 'None')
    : [];
}
