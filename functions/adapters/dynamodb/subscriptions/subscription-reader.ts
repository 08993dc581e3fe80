import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Subscriptions } from '../../../core/subscription/ports.ts';
import { type Subscription, subscriptionSchema } from '../../../core/subscription/subscription.ts';
import type { Item } from '../marshalled.ts';
import { subscriptionsTable } from '../table-keys.ts';

/** Identifies a subscription and its service. */
export type SubscriptionName = Pick<Subscription, 'service_id' | 'subscription_id'>;

export function subscriptionAddress({ service_id, subscription_id }: SubscriptionName): Item {
  return { [subscriptionsTable.partitionKey]: service_id, [subscriptionsTable.sortKey]: subscription_id };
}

export function subscriptionReader(client: DynamoDBClient, table: string): Subscriptions['subscription'] {
  return async (name) => {
    const { Item } = await client.send(
      new GetItemCommand({
        TableName: table,
        Key: marshall(subscriptionAddress(name)),
        ConsistentRead: true,
      }),
    );
    return Item === undefined ? undefined : subscriptionSchema.parse(unmarshall(Item));
  };
}
