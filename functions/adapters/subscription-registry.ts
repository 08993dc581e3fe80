import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { StandingChange, SubscriptionRegistry } from '../api/subscription-registry.ts';
import { standingOf } from '../core/standing.ts';
import {
  MAX_SUBSCRIPTIONS_PER_SERVICE,
  routeSchema,
  type Subscription,
  subscriptionSchema,
} from '../core/subscription.ts';
import { changeRoutes, readRoutes } from './service-routes.ts';
import { forgetSecrets, keepFirstSecret } from './signing-secret-store.ts';
import { dueAttributes, standingUpdate } from './standing-update.ts';
import { standingWriter } from './standing-writer.ts';
import { subscriptionAddress } from './subscription-address.ts';
import { batchGet } from './table-batch.ts';
import { subscriptionsTable } from './table-keys.ts';

/** Tells the items of subscriptions from the routing item beside them. */
const SUBSCRIPTION_PREFIX = 'sub_';

/** What was accepted before the deletion has long been cancelled by then: a queue keeps a record for fourteen days. */
const DAYS_AFTER_DELETION = 30;

interface Options {
  readonly tables: { readonly subscriptions: string; readonly signingSecrets: string };
  readonly graceMs: number;
  readonly now: () => number;
}

export function subscriptionRegistry(
  client: DynamoDBClient,
  { tables, graceMs, now }: Options,
): SubscriptionRegistry {
  const changeStanding = standingWriter(client, { table: tables.subscriptions, graceMs });

  async function find(service_id: string, subscription_id: string): Promise<Subscription | undefined> {
    if (!subscription_id.startsWith(SUBSCRIPTION_PREFIX)) {
      return undefined;
    }
    const { Item } = await client.send(
      new GetItemCommand({
        TableName: tables.subscriptions,
        Key: marshall(subscriptionAddress({ service_id, subscription_id })),
        ConsistentRead: true,
      }),
    );
    const subscription = Item && subscriptionSchema.parse(unmarshall(Item));
    return subscription && isThere(subscription) ? subscription : undefined;
  }

  return {
    async add(subscription, secret) {
      const { service_id, subscription_id: subscriptionId, created_at: createdAt } = subscription;
      const added = await changeRoutes(client, tables.subscriptions, service_id, (routes) =>
        routes.length >= MAX_SUBSCRIPTIONS_PER_SERVICE
          ? undefined
          : {
              routes: [...routes, routeSchema.parse(subscription)],
              writes: [
                {
                  Put: {
                    TableName: tables.subscriptions,
                    Item: marshall(
                      {
                        ...subscription,
                        [subscriptionsTable.sortKey]: subscriptionId,
                        ...dueAttributes(subscriptionId, subscription.circuit, graceMs),
                      },
                      { removeUndefinedValues: true },
                    ),
                    ConditionExpression: 'attribute_not_exists(#item)',
                    ExpressionAttributeNames: { '#item': subscriptionsTable.sortKey },
                  },
                },
                keepFirstSecret(tables.signingSecrets, { subscriptionId, secret, createdAt }),
              ],
            },
      );
      return added ? 'added' : 'full';
    },

    async list(serviceId) {
      // By their routes: deleted ones stay in the table for a while, as many as a service has ever deleted.
      const { routes = [] } = (await readRoutes(client, tables.subscriptions, serviceId)) ?? {};
      const keys = routes.map(({ subscription_id }) =>
        subscriptionAddress({ service_id: serviceId, subscription_id }),
      );
      const items = (await batchGet(client, [{ table: tables.subscriptions, keys }])).get(
        tables.subscriptions,
      );
      return (items ?? []).map((item) => subscriptionSchema.parse(item)).filter(isThere);
    },

    find,

    async changeStanding(subscription, change) {
      const changed = await changeStanding(subscription, change);
      return changed?.before.state === 'deleted' ? undefined : changed;
    },

    async remove({ service_id, subscription_id }, end) {
      let change: StandingChange | undefined;
      const removed = await changeRoutes(client, tables.subscriptions, service_id, async (routes) => {
        const subscription = await find(service_id, subscription_id);
        if (subscription === undefined) {
          return undefined;
        }
        const before = standingOf(subscription);
        const after = end(before);
        change = { before, after };
        return {
          routes: routes.filter((route) => route.subscription_id !== subscription_id),
          contested: [
            {
              Update: standingUpdate(tables.subscriptions, subscription, before, after, graceMs, {
                [subscriptionsTable.timeToLive]: Math.floor(now() / 1_000) + DAYS_AFTER_DELETION * 86_400,
              }),
            },
          ],
          writes: [forgetSecrets(tables.signingSecrets, subscription_id)],
        };
      });
      return removed ? change : undefined;
    },
  };
}

function isThere({ state }: Subscription): boolean {
  return state !== 'deleted';
}
