import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import { routingItemSchema } from '../../../functions/adapters/dynamodb/subscriptions/routing-item.ts';
import { subscriptionAddress } from '../../../functions/adapters/dynamodb/subscriptions/subscription-address.ts';
import { batchGet } from '../../../functions/adapters/dynamodb/table-batch.ts';
import {
  isGone,
  routeSchema,
  subscriptionSchema,
} from '../../../functions/core/subscription/subscription.ts';

/**
 * A service that lost its routes and registered others since: by their numbers alone these are newer. Adds
 * the routes of subscriptions that it still has, which would get no events otherwise. Undefined when none is
 * missing.
 */
export function routesMender(client: DynamoDBClient, table: string) {
  return async (restored: Item, there: Item): Promise<Item | undefined> => {
    const [then, now] = [restored, there].map((item) => routingItemSchema.safeParse(item).data);
    if (then === undefined || now === undefined) {
      return undefined;
    }
    const known = new Set(now.routes.map(({ subscription_id }) => subscription_id));
    const keys = then.routes
      .filter(({ subscription_id }) => !known.has(subscription_id))
      .map(({ subscription_id }) =>
        subscriptionAddress({ service_id: String(there.service_id), subscription_id }),
      );
    const items = keys.length === 0 ? [] : (await batchGet(client, [{ table, keys }])).get(table);
    const lost = (items ?? []).flatMap((item) => {
      const { data } = subscriptionSchema.safeParse(item);
      // One that was deleted since has none.
      return data === undefined || isGone(data) ? [] : [routeSchema.parse(data)];
    });
    return lost.length === 0
      ? undefined
      : { ...there, routes: [...now.routes, ...lost], version: now.version + 1 };
  };
}
