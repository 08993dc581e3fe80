import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type Route, routeSchema } from '../core/subscription.ts';
import { batchGet } from './table-batch.ts';
import { subscriptionsTable } from './table-keys.ts';

const routingItemSchema = z.object({ service_id: z.string(), routes: z.array(routeSchema) });

/**
 * Reads the routing items of services with strongly consistent reads: a subscription that was created before an event was accepted is seen.
 *
 * @returns the routes by service; a service that nobody knows is left out
 */
export function routeTable(client: DynamoDBClient, table: string) {
  return async (serviceIds: readonly string[]): Promise<ReadonlyMap<string, readonly Route[]>> => {
    const { partitionKey, sortKey, routesItem } = subscriptionsTable;
    const keys = serviceIds.map((id) => ({ [partitionKey]: id, [sortKey]: routesItem }));
    const found = await batchGet(client, [{ table, keys }]);
    return new Map(
      (found.get(table) ?? []).map((item) => {
        const { service_id, routes } = routingItemSchema.parse(item);
        return [service_id, routes];
      }),
    );
  };
}
