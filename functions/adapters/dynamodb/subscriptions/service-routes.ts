import {
  type DynamoDBClient,
  GetItemCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { ContendedError } from '../../../core/errors/contended-error.ts';
import type { Route } from '../../../core/subscription/subscription.ts';
import { subscriptionsTable } from '../table-keys.ts';
import { MAX_TRIES, untilDone } from '../until-done.ts';
import { routingItemSchema } from './routing-item.ts';

/** The routes of a service after a change, and what has to be written together with them. */
export interface RoutesChange {
  readonly routes: readonly Route[];
  readonly writes: readonly TransactWriteItem[];
}

/**
 * Changes the routing item of a service in one transaction with other items, and anew on fresh routes when somebody else was faster:
 * after a pause, so that a partner's script may register all its subscriptions at once.
 *
 * @returns false, with nothing written, when `change` wants nothing
 * @throws ContendedError when somebody else was faster each time
 */
export async function changeRoutes(
  client: DynamoDBClient,
  table: string,
  serviceId: string,
  change: (routes: readonly Route[]) => RoutesChange | undefined,
): Promise<boolean> {
  let hasChanged = false;
  const left = await untilDone(change, async () => {
    const current = await readRoutes(client, table, serviceId);
    const wanted = change(current?.routes ?? []);
    if (wanted === undefined) {
      return undefined;
    }
    const contested = [replaceRoutes(table, serviceId, current?.version, wanted.routes)];
    hasChanged = await writeTogether(client, contested, wanted.writes);
    return hasChanged ? undefined : change;
  });
  if (left !== undefined) {
    throw new ContendedError(MAX_TRIES);
  }
  return hasChanged;
}

/** The routes of a service with the number of their version; undefined when it never had any. Strongly consistent. */
export async function readRoutes(client: DynamoDBClient, table: string, serviceId: string) {
  const { Item } = await client.send(
    new GetItemCommand({ TableName: table, Key: keyOf(serviceId), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : routingItemSchema.parse(unmarshall(Item));
}

/**
 * Writes items in one transaction.
 *
 * @param contested on condition of what was read
 * @returns false when somebody else was faster with one of these, or is just busy with any of all
 */
export async function writeTogether(
  client: DynamoDBClient,
  contested: readonly TransactWriteItem[],
  writes: readonly TransactWriteItem[],
): Promise<boolean> {
  try {
    await client.send(new TransactWriteItemsCommand({ TransactItems: [...contested, ...writes] }));
    return true;
  } catch (error) {
    if (!somebodyWasFaster(error, contested.length)) {
      throw error;
    }
    return false;
  }
}

/** The part of a transaction that replaces the routes of a service, on condition that they have the version that was read. */
export function replaceRoutes(
  table: string,
  serviceId: string,
  version: number | undefined,
  routes: readonly Route[],
): TransactWriteItem {
  return {
    Update: {
      TableName: table,
      Key: keyOf(serviceId),
      UpdateExpression: 'SET #routes = :routes, #version = :next',
      // Nobody has changed the routes since they were read.
      ConditionExpression: version === undefined ? 'attribute_not_exists(#version)' : '#version = :current',
      ExpressionAttributeNames: { '#routes': 'routes', '#version': 'version' },
      ExpressionAttributeValues: marshall(
        { ':routes': routes, ':next': (version ?? 0) + 1, ':current': version },
        { removeUndefinedValues: true },
      ),
    },
  };
}

/** What is contested comes first in the transaction. Another transaction on any of its items is a conflict, which passes. */
function somebodyWasFaster(error: unknown, contested: number): boolean {
  if (!(error instanceof TransactionCanceledException)) {
    return false;
  }
  const codes = error.CancellationReasons?.map(({ Code }) => Code) ?? [];
  return (
    codes.slice(0, contested).includes('ConditionalCheckFailed') || codes.includes('TransactionConflict')
  );
}

function keyOf(serviceId: string) {
  return marshall({
    [subscriptionsTable.partitionKey]: serviceId,
    [subscriptionsTable.sortKey]: subscriptionsTable.routesItem,
  });
}
