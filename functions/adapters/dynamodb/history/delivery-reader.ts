import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { messageRecordSchema } from '../../../core/message/history.ts';
import { blockedKeySchema } from '../../../core/ordering/blocked-ordering-key.ts';
import type { DeliveryReader, Found } from '../../../core/ordering/delivery-reader.ts';
import { subscriptionSchema } from '../../../core/subscription/subscription.ts';
import type { Open } from '../../kms/sealing.ts';
import type { Item } from '../marshalled.ts';
import { orderingKeyAddress } from '../ordering-keys/ordering-key-item.ts';
import { readable } from '../readable.ts';
import { openSecrets } from '../secrets/opened-secrets.ts';
import { SecretsCache } from '../secrets/secrets-cache.ts';
import { subscriptionAddress } from '../subscriptions/subscription-address.ts';
import { type Address, batchGetSome } from '../table-batch.ts';
import {
  eventPartition,
  historyTable,
  orderingKeysTable,
  signingSecretsTable,
  subscriptionsTable,
} from '../table-keys.ts';

const resourceItemSchema = z.object({ message_id: z.string(), resource: z.string() });

interface Tables {
  readonly subscriptions: string;
  readonly signingSecrets: string;
  readonly orderingKeys: string;
  readonly history: string;
}

/**
 * Reads all that a batch needs in one call, secrets only when the cached ones have expired. A second call
 * rereads the secrets of subscriptions that the partner has changed since, as their items show. Unprocessed
 * and refused keys are reported separately.
 *
 * @param open called for each secret that is read: it had better remember
 */
export function deliveryReader(
  client: DynamoDBClient,
  tables: Tables,
  open: Open,
  now: () => number,
  cache = new SecretsCache(),
): DeliveryReader['lookUp'] {
  return async ({ subscriptions, keys, messageIds, resourceKeys }): Promise<Found> => {
    const nowMs = now();
    const subscriptionIds = [...new Set(subscriptions.map(({ subscription_id }) => subscription_id))];
    const secrets = cache.lookUp(subscriptionIds, nowMs);
    const {
      found,
      untaken: left,
      refused,
    } = await batchGetSome(
      client,
      [
        { table: tables.subscriptions, keys: subscriptions.map(subscriptionAddress) },
        {
          table: tables.signingSecrets,
          keys: secrets.stale.map(secretsKey),
        },
        { table: tables.orderingKeys, keys: keys.map(orderingKeyAddress) },
        {
          table: tables.history,
          keys: [
            ...messageIds.map((id) => historyKey(id, historyTable.messageItem)),
            ...resourceKeys.map((key) => historyKey(eventPartition(key), historyTable.resourceItem)),
          ],
        },
      ].filter(({ keys }) => keys.length > 0),
    );

    const untaken = [...left];
    const internalErrors = new Map<string, Error>();
    const onInternalError = (internalError: Error, id: string) => internalErrors.set(id, internalError);
    for (const { error, ...address } of refused) {
      internalErrors.set(nameOf(address, tables), error);
    }
    const known = byId(
      readable(found.get(tables.subscriptions) ?? [], subscriptionSchema, 'subscription_id', onInternalError),
      ({ subscription_id }) => subscription_id,
    );
    const opened = (items: readonly Item[] = []) => openSecrets(open, items, onInternalError);
    secrets.keep(secrets.stale, await opened(found.get(tables.signingSecrets)), known, onInternalError);
    const overtaken = secrets.overtaken(known);
    if (overtaken.length > 0) {
      const keys = overtaken.map(secretsKey);
      const again = await batchGetSome(client, [{ table: tables.signingSecrets, keys }]);
      secrets.keep(overtaken, await opened(again.found.get(tables.signingSecrets)), known, onInternalError);
      untaken.push(...again.untaken);
      for (const { error, ...address } of again.refused) {
        internalErrors.set(nameOf(address, tables), error);
      }
    }
    const [messages, resources] = partition(
      found.get(tables.history) ?? [],
      (item) => item[historyTable.sortKey] === historyTable.messageItem,
    );
    return {
      subscriptions: known,
      secrets: secrets.found(),
      keys: byId(
        readable(
          found.get(tables.orderingKeys) ?? [],
          blockedKeySchema,
          orderingKeysTable.partitionKey,
          onInternalError,
        ),
        ({ ordering_key }) => ordering_key,
      ),
      records: byId(
        readable(messages, messageRecordSchema, 'message_id', onInternalError),
        ({ message_id }) => message_id,
      ),
      resources: new Map(
        readable(resources, resourceItemSchema, 'message_id', onInternalError).map(
          ({ message_id, resource }) => [message_id.slice(eventPartition('').length), resource],
        ),
      ),
      internalErrors,
      untaken: new Set(untaken.map((address) => nameOf(address, tables))),
    };
  };
}

function secretsKey(subscriptionId: string): Item {
  return { [signingSecretsTable.partitionKey]: subscriptionId };
}

/**
 * What an address identifies: a subscription id, message id, ordering key, or the `resourceKey` of an event.
 */
function nameOf({ table, key }: Address, tables: Tables): string {
  switch (table) {
    case tables.subscriptions:
      return String(key[subscriptionsTable.sortKey]);
    case tables.signingSecrets:
      return String(key[signingSecretsTable.partitionKey]);
    case tables.orderingKeys:
      return String(key[orderingKeysTable.partitionKey]);
    default: {
      const partition = String(key[historyTable.partitionKey]);
      return key[historyTable.sortKey] === historyTable.resourceItem
        ? partition.slice(eventPartition('').length)
        : partition;
    }
  }
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
