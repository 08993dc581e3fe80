import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { messageRecordSchema } from '../core/history.ts';
import { pausedKeySchema } from '../core/key-lifecycle.ts';
import { keptSecretsSchema, SECRETS_CACHED_MS } from '../core/signing-keys.ts';
import { subscriptionSchema } from '../core/subscription.ts';
import type { DeliverPorts, Found, KnownSecrets } from '../deliver/ports.ts';
import { keyAddress } from './key-item.ts';
import { readable } from './readable.ts';
import { subscriptionAddress } from './subscription-address.ts';
import { batchGet, type Item } from './table-batch.ts';
import { eventPartition, historyTable, keysTable, signingSecretsTable } from './table-keys.ts';

const secretsItemSchema = z.extend(keptSecretsSchema, { subscription_id: z.string() });

const resourceItemSchema = z.object({ message_id: z.string(), resource: z.string() });

interface Tables {
  readonly subscriptions: string;
  readonly signingSecrets: string;
  readonly keys: string;
  readonly history: string;
}

/** Reads all that a batch needs in one call; secrets only when the ones at hand are a minute old. */
export function deliveryReader(
  client: DynamoDBClient,
  tables: Tables,
  now: () => number,
): DeliverPorts['lookUp'] {
  const cache = new Map<string, KnownSecrets & { readonly goodUntilMs: number }>();

  return async ({ subscriptions, keys, messageIds, resourceKeys }): Promise<Found> => {
    const nowMs = now();
    const subscriptionIds = [...new Set(subscriptions.map(({ subscription_id }) => subscription_id))];
    const stale = subscriptionIds.filter((id) => (cache.get(id)?.goodUntilMs ?? 0) <= nowMs);
    const found = await batchGet(
      client,
      [
        { table: tables.subscriptions, keys: subscriptions.map(subscriptionAddress) },
        {
          table: tables.signingSecrets,
          keys: stale.map((id) => ({ [signingSecretsTable.partitionKey]: id })),
        },
        { table: tables.keys, keys: keys.map(keyAddress) },
        {
          table: tables.history,
          keys: [
            ...messageIds.map((id) => historyKey(id, historyTable.messageItem)),
            ...resourceKeys.map((key) => historyKey(eventPartition(key), historyTable.resourceItem)),
          ],
        },
      ].filter(({ keys }) => keys.length > 0),
    );

    const faults = new Map<string, Error>();
    const onFault = (fault: Error, id: string) => faults.set(id, fault);
    for (const id of stale) {
      // What is not there any more must not sign any more.
      cache.delete(id);
    }
    for (const { subscription_id, ...secrets } of readable(
      found.get(tables.signingSecrets) ?? [],
      secretsItemSchema,
      'subscription_id',
      onFault,
    )) {
      cache.set(subscription_id, { ...secrets, goodUntilMs: nowMs + SECRETS_CACHED_MS });
    }
    const [messages, resources] = partition(
      found.get(tables.history) ?? [],
      (item) => item[historyTable.sortKey] === historyTable.messageItem,
    );
    return {
      subscriptions: byId(
        readable(found.get(tables.subscriptions) ?? [], subscriptionSchema, 'subscription_id', onFault),
        ({ subscription_id }) => subscription_id,
      ),
      secrets: new Map(
        subscriptionIds.flatMap((id) => {
          const cached = cache.get(id);
          return cached === undefined ? [] : [[id, cached] as const];
        }),
      ),
      keys: byId(
        readable(found.get(tables.keys) ?? [], pausedKeySchema, keysTable.partitionKey, onFault),
        ({ ordering_key }) => ordering_key,
      ),
      records: byId(
        readable(messages, messageRecordSchema, 'message_id', onFault),
        ({ message_id }) => message_id,
      ),
      resources: new Map(
        readable(resources, resourceItemSchema, 'message_id', onFault).map(({ message_id, resource }) => [
          message_id.slice(eventPartition('').length),
          resource,
        ]),
      ),
      faults,
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
