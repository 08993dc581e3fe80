import {
  type DynamoDBClient,
  GetItemCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Route } from '../../../core/subscription/subscription.ts';
import { subscriptionsTable } from '../table-keys.ts';
import { cancellationCodes, isPassing } from '../transaction.ts';
import { untilUncontended } from '../until-uncontended.ts';
import { routingItemSchema } from './route-table.ts';

/** The new routes of a service, and the items to write with them. */
export interface RoutesChange {
  readonly routes: readonly Route[];
  readonly writes: readonly TransactWriteItem[];
}

/**
 * Changes the routing item of a service in one transaction with other items. After a conflict it retries on
 * fresh routes, with pauses, so that a partner's script may create all its subscriptions at once.
 *
 * @returns false, with nothing written, when `change` returns undefined
 * @throws ContendedError when every try met a concurrent change
 */
export async function changeRoutes(
  client: DynamoDBClient,
  table: string,
  serviceId: string,
  change: (routes: readonly Route[]) => RoutesChange | undefined,
): Promise<boolean> {
  return untilUncontended<undefined, boolean>(undefined, async () => {
    const current = await readRoutes(client, table, serviceId);
    const wanted = change(current?.routes ?? []);
    if (wanted === undefined) {
      return { result: false };
    }
    const contested = [replaceRoutes(table, serviceId, current?.version, wanted.routes)];
    const isNew = current?.version === undefined;
    const writes = [...wanted.writes, ...(isNew ? [listed(table, serviceId)] : [])];
    return (await writeTogether(client, contested, writes)) ? { result: true } : { again: undefined };
  });
}

/** The item that lists a service among those of the stage. */
function listed(table: string, serviceId: string): TransactWriteItem {
  const { partitionKey, sortKey, services } = subscriptionsTable;
  return { Put: { TableName: table, Item: marshall({ [partitionKey]: services, [sortKey]: serviceId }) } };
}

/** The routes of a service and their version; undefined when it never had any. Strongly consistent. */
export async function readRoutes(client: DynamoDBClient, table: string, serviceId: string) {
  const { Item } = await client.send(
    new GetItemCommand({ TableName: table, Key: keyOf(serviceId), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : routingItemSchema.parse(unmarshall(Item));
}

/**
 * Writes items in one transaction.
 *
 * @param contested writes on condition of what was read
 * @returns false when a concurrent change won or is under way on any of the items, or one was throttled
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
    if (!isConcurrentChange(error, contested.length)) {
      throw error;
    }
    return false;
  }
}

/**
 * The transaction item that replaces the routes of a service, on condition that their version is the one
 * read.
 */
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
      // The routes have not changed since they were read.
      ConditionExpression: version === undefined ? 'attribute_not_exists(#version)' : '#version = :current',
      ExpressionAttributeNames: { '#routes': 'routes', '#version': 'version' },
      ExpressionAttributeValues: marshall(
        { ':routes': routes, ':next': (version ?? 0) + 1, ':current': version },
        { removeUndefinedValues: true },
      ),
    },
  };
}

/** The contested writes come first in the transaction. What passes with any item may win a moment later. */
function isConcurrentChange(error: unknown, contested: number): boolean {
  const codes = cancellationCodes(error);
  return codes.slice(0, contested).includes('ConditionalCheckFailed') || isPassing(codes);
}

function keyOf(serviceId: string) {
  return marshall({
    [subscriptionsTable.partitionKey]: serviceId,
    [subscriptionsTable.sortKey]: subscriptionsTable.routesItem,
  });
}
