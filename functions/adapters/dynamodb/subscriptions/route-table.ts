import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type StuckPayments, stuckPaymentsSchema } from '../../../core/stuck/stuck-payments.ts';
import type { Subscriptions } from '../../../core/subscription/ports.ts';
import { type Route, routeSchema } from '../../../core/subscription/subscription.ts';
import { FORMAT_VERSION } from '../readable.ts';
import { batchGetSome } from '../table-batch.ts';
import { subscriptionsTable } from '../table-keys.ts';

/**
 * All routes of a service in one item, read in one call; `version` counts their changes. Match alone writes
 * which payments of it are stuck.
 */
export const routingItemSchema = z.object({
  version: z.int(),
  routes: z.array(routeSchema),
  stuck_payments: z.optional(stuckPaymentsSchema),
});

/**
 * Reads the routing items of services with strong consistency: a subscription created before an event was
 * accepted is always seen.
 */
export function routeTable(client: DynamoDBClient, table: string): Subscriptions['routesOf'] {
  return async (serviceIds) => {
    const { partitionKey, sortKey, routesItem } = subscriptionsTable;
    const keys = serviceIds.map((id) => ({ [partitionKey]: id, [sortKey]: routesItem }));
    const { found, untaken, refused } = await batchGetSome(client, [{ table, keys }]);
    const routes = new Map<string, readonly Route[]>();
    const unreadable = new Map(
      refused.map(({ key, error }) => [String(key[partitionKey]), error.message] as const),
    );
    const stuck = new Map<string, StuckPayments>();
    // A newer format version: while deployments overlap, the newer code can read it.
    const left = new Set(untaken.map(({ key }) => String(key[partitionKey])));
    for (const item of found.get(table) ?? []) {
      const id = String(item[partitionKey]);
      const routing = routingItemSchema.safeParse(item);
      if ((item[FORMAT_VERSION] ?? 1) !== 1) {
        left.add(id);
      } else if (routing.success) {
        routes.set(id, routing.data.routes);
        if (routing.data.stuck_payments !== undefined) {
          stuck.set(id, routing.data.stuck_payments);
        }
      } else {
        const fields = routing.error.issues.map(({ path }) => path.join('.')).join(', ');
        unreadable.set(id, `the routing item of ${id} cannot be read; see ${fields}`);
      }
    }
    return { routes, unreadable, untaken: left, stuck };
  };
}
