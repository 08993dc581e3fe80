import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { FORMAT_VERSION, read } from '../../functions/adapters/dynamodb/readable.ts';
import {
  type SubscriptionName,
  subscriptionAddress,
} from '../../functions/adapters/dynamodb/subscriptions/subscription-reader.ts';
import {
  type SeenSubscription,
  seenSubscriptionSchema,
} from '../../functions/core/trouble/seen-subscription.ts';
import { ENDPOINT_HEALTH_ATTRIBUTES } from '../../lib/endpoint-health-attributes.ts';
import { unlessRefused, WITHHELD, type Withheld } from './attempt-details.ts';

/** Undefined when there is none; an error when it cannot be read. */
export async function seenSubscription(
  client: DynamoDBClient,
  table: string,
  name: SubscriptionName,
  withheld: Withheld,
): Promise<SeenSubscription | Error | undefined> {
  const get = async (attributes: readonly string[]) => {
    const { Item } = await client.send(
      new GetItemCommand({
        TableName: table,
        Key: marshall(subscriptionAddress(name)),
        ConsistentRead: true,
        ProjectionExpression: attributes.map((_, index) => `#a${index}`).join(', '),
        ExpressionAttributeNames: Object.fromEntries(attributes.map((of, index) => [`#a${index}`, of])),
      }),
    );
    return Item ?? {};
  };
  const wanted = [...ENDPOINT_HEALTH_ATTRIBUTES, 'callback_url', 'description', FORMAT_VERSION];
  const item = unmarshall(
    (await unlessRefused(() => get(wanted), withheld, WITHHELD.owner)) ??
      (await get(ENDPOINT_HEALTH_ATTRIBUTES)),
  );
  return Object.keys(item).length === 0 ? undefined : read(item, seenSubscriptionSchema, 'subscription_id');
}
