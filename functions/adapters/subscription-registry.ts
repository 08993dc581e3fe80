import { type DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { SubscriptionRegistry } from '../api/subscription-registry.ts';
import { MAX_SUBSCRIPTIONS_PER_SERVICE, routeSchema, subscriptionSchema } from '../core/subscription.ts';
import { changeRoutes } from './service-routes.ts';
import { forgetSecrets, keepFirstSecret } from './signing-secret-store.ts';
import { subscriptionsTable } from './table-keys.ts';

/** Tells the items of subscriptions from the routing item beside them. */
const SUBSCRIPTION_PREFIX = 'sub_';

interface Tables {
  readonly subscriptions: string;
  readonly signingSecrets: string;
}

export function subscriptionRegistry(client: DynamoDBClient, tables: Tables): SubscriptionRegistry {
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
                      { ...subscription, [subscriptionsTable.sortKey]: subscriptionId },
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
      // One page: the limit of subscriptions bounds it.
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tables.subscriptions,
          KeyConditionExpression: '#service_id = :service_id AND begins_with(#item, :prefix)',
          ExpressionAttributeNames: {
            '#service_id': subscriptionsTable.partitionKey,
            '#item': subscriptionsTable.sortKey,
          },
          ExpressionAttributeValues: marshall({ ':service_id': serviceId, ':prefix': SUBSCRIPTION_PREFIX }),
          ConsistentRead: true,
        }),
      );
      return Items.map((item) => subscriptionSchema.parse(unmarshall(item)));
    },

    async find(serviceId, subscriptionId) {
      if (!subscriptionId.startsWith(SUBSCRIPTION_PREFIX)) {
        return undefined;
      }
      const { Item } = await client.send(
        new GetItemCommand({
          TableName: tables.subscriptions,
          Key: keyOf(serviceId, subscriptionId),
          ConsistentRead: true,
        }),
      );
      return Item === undefined ? undefined : subscriptionSchema.parse(unmarshall(Item));
    },

    remove(serviceId, subscriptionId) {
      return changeRoutes(client, tables.subscriptions, serviceId, (routes) => {
        const others = routes.filter(({ subscription_id }) => subscription_id !== subscriptionId);
        return others.length === routes.length
          ? undefined
          : {
              routes: others,
              writes: [
                { Delete: { TableName: tables.subscriptions, Key: keyOf(serviceId, subscriptionId) } },
                forgetSecrets(tables.signingSecrets, subscriptionId),
              ],
            };
      });
    },
  };
}

function keyOf(serviceId: string, item: string) {
  return marshall({ [subscriptionsTable.partitionKey]: serviceId, [subscriptionsTable.sortKey]: item });
}
