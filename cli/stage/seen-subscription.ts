import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { FORMAT_VERSION, read } from '../../functions/adapters/dynamodb/readable.ts';
import {
  type SubscriptionName,
  subscriptionAddress,
} from '../../functions/adapters/dynamodb/subscriptions/subscription-address.ts';
import { subscriptionSchema } from '../../functions/core/subscription/subscription.ts';
import { ENDPOINT_HEALTH_ATTRIBUTES } from '../../lib/endpoint-health-attributes.ts';
import { unlessRefused, WITHHELD, type Withheld } from './withheld.ts';

const seenSchema = z.extend(
  z.pick(subscriptionSchema, {
    service_id: true,
    subscription_id: true,
    state: true,
    disabled_reason: true,
    disabled_at: true,
    rate_limit: true,
    timeout_ms: true,
    circuit: true,
  }),
  { callback_url: z.optional(z.string()), description: z.optional(z.string()) },
);

/**
 * What the caller may see of a subscription: its health, and for an operator also its callback URL and
 * description.
 */
export type SeenSubscription = z.infer<typeof seenSchema>;

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
  return Object.keys(item).length === 0 ? undefined : read(item, seenSchema, 'subscription_id');
}
