import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { messageRecordSchema } from '../core/history.ts';
import { subscriptionSchema } from '../core/subscription.ts';
import type { DeliverPorts, Found } from '../deliver/ports.ts';
import { batchGet, type Item } from './table-batch.ts';
import { eventPartition, historyTable, signingSecretsTable, subscriptionsTable } from './table-keys.ts';

const secretsItemSchema = z.object({
  subscription_id: z.string(),
  secrets: z.array(z.object({ secret: z.string() })).check(z.minLength(1)),
});

const resourceItemSchema = z.object({ message_id: z.string(), resource: z.string() });

/** A revoked secret may sign for so long at most. */
const SECRETS_CACHED_MS = 60_000;

interface Tables {
  readonly subscriptions: string;
  readonly signingSecrets: string;
  readonly history: string;
}

/** Reads all that a batch needs in one call; secrets only when the ones at hand are a minute old. */
export function deliveryReader(
  client: DynamoDBClient,
  tables: Tables,
  now: () => number,
): DeliverPorts['lookUp'] {
  const cache = new Map<string, { readonly secrets: readonly string[]; readonly staleAtMs: number }>();

  return async ({ subscriptions, messageIds, eventIds }): Promise<Found> => {
    const nowMs = now();
    const subscriptionIds = [...new Set(subscriptions.map(({ subscription_id }) => subscription_id))];
    const stale = subscriptionIds.filter((id) => (cache.get(id)?.staleAtMs ?? 0) <= nowMs);
    const found = await batchGet(
      client,
      [
        {
          table: tables.subscriptions,
          keys: subscriptions.map(({ service_id, subscription_id }) => ({
            [subscriptionsTable.partitionKey]: service_id,
            [subscriptionsTable.sortKey]: subscription_id,
          })),
        },
        {
          table: tables.signingSecrets,
          keys: stale.map((id) => ({ [signingSecretsTable.partitionKey]: id })),
        },
        {
          table: tables.history,
          keys: [
            ...messageIds.map((id) => historyKey(id, historyTable.messageItem)),
            ...eventIds.map((id) => historyKey(eventPartition(id), historyTable.resourceItem)),
          ],
        },
      ].filter(({ keys }) => keys.length > 0),
    );

    for (const item of found.get(tables.signingSecrets) ?? []) {
      const { subscription_id, secrets } = secretsItemSchema.parse(item);
      cache.set(subscription_id, {
        secrets: secrets.map(({ secret }) => secret),
        staleAtMs: nowMs + SECRETS_CACHED_MS,
      });
    }
    const [messages, resources] = partition(
      found.get(tables.history) ?? [],
      (item) => item[historyTable.sortKey] === historyTable.messageItem,
    );
    return {
      subscriptions: byId(
        (found.get(tables.subscriptions) ?? []).map((item) => subscriptionSchema.parse(item)),
        ({ subscription_id }) => subscription_id,
      ),
      secrets: new Map(
        subscriptionIds.flatMap((id) => {
          const cached = cache.get(id);
          return cached === undefined ? [] : [[id, cached.secrets] as const];
        }),
      ),
      records: byId(
        messages.map((item) => messageRecordSchema.parse(item)),
        ({ message_id }) => message_id,
      ),
      resources: new Map(
        resources.map((item) => {
          const { message_id, resource } = resourceItemSchema.parse(item);
          return [message_id.slice(eventPartition('').length), resource];
        }),
      ),
    };
  };
}

function historyKey(partition: string, item: string): Item {
  return { [historyTable.partitionKey]: partition, [historyTable.sortKey]: item };
}

function byId<Value>(values: readonly Value[], idOf: (value: Value) => string): Map<string, Value> {
  return new Map(values.map((value) => [idOf(value), value]));
}

function partition(items: readonly Item[], belongs: (item: Item) => boolean): [Item[], Item[]] {
  const { yes = [], no = [] } = Object.groupBy(items, (item) => (belongs(item) ? 'yes' : 'no'));
  return [yes, no];
}
