import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import { openSecrets } from '../../../functions/adapters/dynamodb/secrets/opened-secrets.ts';
import { sealSecrets } from '../../../functions/adapters/dynamodb/secrets/sealed-secrets.ts';
import { routingItemSchema } from '../../../functions/adapters/dynamodb/subscriptions/route-table.ts';
import { changeRoutes } from '../../../functions/adapters/dynamodb/subscriptions/service-routes.ts';
import { subscriptionAddress } from '../../../functions/adapters/dynamodb/subscriptions/subscription-reader.ts';
import { batchGet } from '../../../functions/adapters/dynamodb/table-batch.ts';
import { subscriptionsTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { cancellationCodes } from '../../../functions/adapters/dynamodb/transaction.ts';
import { kmsClient } from '../../../functions/adapters/kms/kms-client.ts';
import { kmsOpen, kmsSeal } from '../../../functions/adapters/kms/kms-sealing.ts';
import type { Open, Seal } from '../../../functions/adapters/kms/sealing.ts';
import { keptSecretsSchema } from '../../../functions/core/attempt/signing-keys.ts';
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

/** ARNs of KMS keys: what the secrets are sealed with, and what they are to be sealed with. */
interface Keys {
  readonly from: string;
  readonly to: string;
}

/** Seals the secrets of a stage that lived elsewhere with this stage's key. */
export async function resealer(
  client: DynamoDBClient,
  { from, to }: Keys,
): Promise<(items: readonly Item[]) => Promise<Item[]>> {
  const credentials = await client.config.credentials();
  const kmsOf = (arn: string) => kmsClient({ region: arn.split(':')[3] ?? '', credentials });
  const open = kmsOpen(kmsOf(from), from);
  const seal = kmsSeal(kmsOf(to), to);
  return (items) => reseal(items, open, seal);
}

/** @throws when one of them cannot be opened */
export async function reseal(items: readonly Item[], open: Open, seal: Seal): Promise<Item[]> {
  const refuse = (error: Error) => {
    throw error;
  };
  const opened = await openSecrets(open, items, refuse);
  return Promise.all(
    opened.map(async (item) => {
      const subscription_id = String(item.subscription_id);
      const sealed = await sealSecrets(seal, subscription_id, keptSecretsSchema.parse(item));
      return { subscription_id, ...sealed };
    }),
  );
}

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
