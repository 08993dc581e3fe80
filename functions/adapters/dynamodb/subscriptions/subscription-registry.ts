import { isDeepStrictEqual } from 'node:util';
import { type DynamoDBClient, GetItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { nextRevision, type SubscriptionRegistry } from '../../../core/api/subscription-registry.ts';
import type { SecretsChange } from '../../../core/subscription/secret-rotation.ts';
import {
  MAX_SUBSCRIPTIONS_PER_SERVICE,
  routeSchema,
  type Subscription,
  subscriptionSchema,
} from '../../../core/subscription/subscription.ts';
import type { Seal } from '../../kms/sealing.ts';
import { sealChange, sealSecrets } from '../secrets/sealed-secrets.ts';
import { changeSecrets, forgetSecrets, keepSecrets } from '../secrets/signing-secret-store.ts';
import { batchGet } from '../table-batch.ts';
import { subscriptionsTable } from '../table-keys.ts';
import { untilUncontended } from '../until-uncontended.ts';
import { changeRoutes, readRoutes, replaceRoutes, writeTogether } from './service-routes.ts';
import { subscriptionAddress } from './subscription-reader.ts';
import { subscriptionPut, subscriptionUpdate } from './subscription-update.ts';

/** Distinguishes subscription items from the routing item beside them. */
const SUBSCRIPTION_PREFIX = 'sub_';

/**
 * Longer than the 35 days of point-in-time recovery: a restored table can compare its subscriptions with this
 * one and see which were deleted.
 */
const DAYS_AFTER_DELETION = 40;

interface Options {
  readonly tables: { readonly subscriptions: string; readonly signingSecrets: string };
  readonly graceMs: number;
  readonly seal: Seal;
  readonly now: () => number;
}

type Revised = Awaited<ReturnType<SubscriptionRegistry['revise']>>;

export function subscriptionRegistry(
  client: DynamoDBClient,
  { tables, graceMs, seal, now }: Options,
): SubscriptionRegistry {
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

  function itemUpdate(before: Subscription, after: Subscription): TransactWriteItem {
    const removeAt = Math.floor(now() / 1_000) + DAYS_AFTER_DELETION * 86_400;
    const more = isThere(after) ? {} : { [subscriptionsTable.timeToLive]: removeAt };
    return { Update: subscriptionUpdate(tables.subscriptions, before, after, graceMs, more) };
  }

  /** The routes of all subscriptions of a service share one item, so it is written only when needed. */
  async function routesUpdate(before: Subscription, after: Subscription): Promise<TransactWriteItem[]> {
    const route = routeSchema.parse(after);
    if (isThere(after) && isDeepStrictEqual(route, routeSchema.parse(before))) {
      return [];
    }
    const { service_id } = after;
    const { version, routes = [] } = (await readRoutes(client, tables.subscriptions, service_id)) ?? {};
    const changed = routes.flatMap((one) =>
      one.subscription_id !== route.subscription_id ? [one] : isThere(after) ? [route] : [],
    );
    return [replaceRoutes(tables.subscriptions, service_id, version, changed)];
  }

  async function secretsUpdate(
    after: Subscription,
    change: SecretsChange = {},
  ): Promise<TransactWriteItem[]> {
    const { subscription_id: id } = after;
    return isThere(after)
      ? changeSecrets(tables.signingSecrets, id, await sealChange(seal, id, change))
      : [forgetSecrets(tables.signingSecrets, id)];
  }

  return {
    async add(subscription, secrets) {
      const { service_id, subscription_id: subscriptionId } = subscription;
      const sealed = await sealSecrets(seal, subscriptionId, secrets);
      const added = await changeRoutes(client, tables.subscriptions, service_id, (routes) =>
        routes.length >= MAX_SUBSCRIPTIONS_PER_SERVICE
          ? undefined
          : {
              routes: [...routes, routeSchema.parse(subscription)],
              writes: [
                { Put: subscriptionPut(tables.subscriptions, subscription, graceMs) },
                keepSecrets(tables.signingSecrets, subscriptionId, sealed),
              ],
            },
      );
      return added ? 'added' : 'full';
    },

    async list(serviceId) {
      // Found by their routes: deleted subscriptions stay in the table for a while, however many there were.
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

    revise(subscription, decide) {
      const { service_id, subscription_id } = subscription;
      const readAgain = () => find(service_id, subscription_id);
      return untilUncontended<typeof readAgain, Revised>(
        async () => subscription,
        async (read) => {
          const before = await read();
          if (before === undefined) {
            return { result: undefined };
          }
          const decided = decide(before);
          if ('status' in decided) {
            return { result: decided };
          }
          if (decided.subscription === before) {
            return { result: { before, after: before } };
          }
          const after = nextRevision(before, decided.subscription);
          const isWritten = await writeTogether(
            client,
            [itemUpdate(before, after), ...(await routesUpdate(before, after))],
            await secretsUpdate(after, decided.secrets),
          );
          return isWritten ? { result: { before, after } } : { again: readAgain };
        },
      );
    },
  };
}

function isThere({ state }: Subscription): boolean {
  return state !== 'deleted';
}
