import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { MatchPorts } from '../match/match.ts';
import { routingItemSchema } from './routing-item.ts';
import { batchGet } from './table-batch.ts';
import { subscriptionsTable } from './table-keys.ts';

/** Reads the routing items of services with strongly consistent reads: a subscription that was created before an event was accepted is seen. */
export function routeTable(client: DynamoDBClient, table: string): MatchPorts['routesOf'] {
  return async (serviceIds) => {
    const { partitionKey, sortKey, routesItem } = subscriptionsTable;
    const keys = serviceIds.map((id) => ({ [partitionKey]: id, [sortKey]: routesItem }));
    const items = (await batchGet(client, [{ table, keys }])).get(table) ?? [];
    const read = items.map((item) => ({
      id: String(item[partitionKey]),
      of: routingItemSchema.safeParse(item),
    }));
    return {
      routes: new Map(read.flatMap(({ id, of }) => (of.success ? [[id, of.data.routes] as const] : []))),
      unreadable: new Set(read.flatMap(({ id, of }) => (of.success ? [] : [id]))),
    };
  };
}
