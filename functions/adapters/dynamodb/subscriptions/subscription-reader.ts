import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Subscriptions } from '../../../core/subscription/ports.ts';
import { subscriptionSchema } from '../../../core/subscription/subscription.ts';
import { subscriptionAddress } from './subscription-address.ts';

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
