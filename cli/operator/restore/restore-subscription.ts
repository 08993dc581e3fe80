import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import { changeRoutes } from '../../../functions/adapters/dynamodb/subscriptions/service-routes.ts';
import { subscriptionsTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { cancellationCodes } from '../../../functions/adapters/dynamodb/transaction.ts';
import {
  isGone,
  routeSchema,
  subscriptionSchema,
} from '../../../functions/core/subscription/subscription.ts';
import { putWhere } from './restore-table.ts';

/**
 * Restores a missing item; a subscription together with its route, without which it gets no events. False
 * when somebody else was faster.
 */
export function subscriptionPutter(client: DynamoDBClient, table: string): (item: Item) => Promise<boolean> {
  return async (item) => {
    const subscription = subscriptionSchema.safeParse(item).data;
    if (subscription === undefined || isGone(subscription)) {
      return putWhere(client, table, { keys: subscriptionsTable }, item, undefined);
    }
    const { service_id, subscription_id } = subscription;
    const routed = changeRoutes(client, table, service_id, (routes) =>
      routes.some((route) => route.subscription_id === subscription_id)
        ? undefined
        : {
            routes: [...routes, routeSchema.parse(subscription)],
            writes: [
              {
                Put: {
                  TableName: table,
                  Item: marshall(item, { removeUndefinedValues: true }),
                  ConditionExpression: 'attribute_not_exists(#item)',
                  ExpressionAttributeNames: { '#item': subscriptionsTable.sortKey },
                },
              },
            ],
          },
    );
    try {
      return (await routed) || (await putWhere(client, table, { keys: subscriptionsTable }, item, undefined));
    } catch (error) {
      // It came back meanwhile: only its own condition is left, as its routes would have been read again.
      if (cancellationCodes(error).includes('ConditionalCheckFailed')) {
        return false;
      }
      throw error;
    }
  };
}
