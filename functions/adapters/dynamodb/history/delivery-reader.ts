import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { STAGE_KEYS } from '../../../core/attempt/stage-keys.ts';
import { messageRecordSchema } from '../../../core/message/history.ts';
import { type ResourceName, resourceKey } from '../../../core/message/message.ts';
import { blockedKeySchema } from '../../../core/ordering/blocked-ordering-key.ts';
import type { DeliveryReader, Found } from '../../../core/ordering/delivery-reader.ts';
import { subscriptionSchema, wantsStageKey } from '../../../core/subscription/subscription.ts';
import type { Open } from '../../kms/sealing.ts';
import type { Item } from '../marshalled.ts';
import { orderingKeyAddress } from '../ordering-keys/ordering-key-item.ts';
import { readable, valuesOf } from '../readable.ts';
import { openSecrets } from '../secrets/opened-secrets.ts';
import { SecretsCache } from '../secrets/secrets-cache.ts';
import { subscriptionAddress } from '../subscriptions/subscription-reader.ts';
import { type Address, batchGetSome } from '../table-batch.ts';
import {
  historyTable,
  isMessageItem,
  messageAddress,
  messageIdAt,
  orderingKeysTable,
  resourceAddress,
  signingSecretsTable,
  subscriptionsTable,
} from '../table-keys.ts';
import { historyItemName } from './history-items.ts';
import { readMessage } from './message-item.ts';
import { resourceIn } from './stored-resource.ts';

interface Tables {
  readonly subscriptions: string;
  readonly signingSecrets: string;
  readonly orderingKeys: string;
  readonly history: string;
}

/**
 * Reads all that a batch needs in one call, secrets only when the cached ones have expired. A second call
 * rereads the secrets of subscriptions that the partner has changed since, as their items show, and reads the
 * stage's keys once a minute if one of the subscriptions wants them. Unprocessed and refused keys are reported
 * separately.
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
  return async ({ subscriptions, keys, messageIds, resources }): Promise<Found> => {
    const nowMs = now();
    const nameOf = namesIn(tables, resources);
    const subscriptionIds = [...new Set(subscriptions.map(({ subscription_id }) => subscription_id))];
    const secrets = cache.lookUp([...subscriptionIds, STAGE_KEYS], nowMs);
    const stale = secrets.stale.filter((id) => id !== STAGE_KEYS);
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
          keys: stale.map(secretsKey),
        },
        { table: tables.orderingKeys, keys: keys.map(orderingKeyAddress) },
        {
          table: tables.history,
          keys: [...messageIds.map(messageAddress), ...resources.map(resourceAddress)],
        },
      ].filter(({ keys }) => keys.length > 0),
    );

    const untaken = [...left];
    const internalErrors = new Map<string, Error>();
    const onInternalError = (internalError: Error, id: string) => internalErrors.set(id, internalError);
    for (const { error, ...address } of refused) {
      internalErrors.set(nameOf(address), error);
    }
    const known = byId(
      readable(found.get(tables.subscriptions) ?? [], subscriptionSchema, 'subscription_id', onInternalError),
      ({ subscription_id }) => subscription_id,
    );
    const opened = (items: readonly Item[] = []) => openSecrets(open, items, onInternalError);
    secrets.keep(stale, await opened(found.get(tables.signingSecrets)), known, onInternalError);
    const wantsKeys = secrets.stale.includes(STAGE_KEYS) && [...known.values()].some(wantsStageKey);
    const overtaken = [...secrets.overtaken(known), ...(wantsKeys ? [STAGE_KEYS] : [])];
    if (overtaken.length > 0) {
      const keys = overtaken.map(secretsKey);
      const again = await batchGetSome(client, [{ table: tables.signingSecrets, keys }]);
      secrets.keep(overtaken, await opened(again.found.get(tables.signingSecrets)), known, onInternalError);
      untaken.push(...again.untaken);
      for (const { error, ...address } of again.refused) {
        internalErrors.set(nameOf(address), error);
      }
    }
    const historyNameOf = (key: Item) => nameOf({ table: tables.history, key });
    const onUnreadable = (internalError: Error, item: Item) =>
      onInternalError(internalError, historyNameOf(item));
    const [messages, events] = partition(found.get(tables.history) ?? [], (item) =>
      isMessageItem(String(item[historyTable.sortKey])),
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
        valuesOf(messages, (item) => readMessage(item, messageRecordSchema), onUnreadable),
        ({ message_id }) => message_id,
      ),
      resources: new Map(valuesOf(events, (item) => readResource(item, historyNameOf(item)), onUnreadable)),
      internalErrors,
      untaken: new Set(untaken.map((address) => nameOf(address))),
    };
  };
}

/** By its name, or why it cannot be read. */
function readResource(item: Item, name: string): readonly [string, string] | Error {
  try {
    return [name, resourceIn(item)];
  } catch (error) {
    return new Error(`the resource of event ${name}: ${(error as Error).message}`);
  }
}

function secretsKey(subscriptionId: string): Item {
  return { [signingSecretsTable.partitionKey]: subscriptionId };
}

/**
 * What an address identifies: a subscription id, message id, ordering key, or the `resourceKey` of an event.
 */
function namesIn(tables: Tables, resources: readonly ResourceName[]): (address: Address) => string {
  const events = new Map(resources.map((one) => [historyItemName(resourceAddress(one)), resourceKey(one)]));
  return ({ table, key }) => {
    switch (table) {
      case tables.subscriptions:
        return String(key[subscriptionsTable.sortKey]);
      case tables.signingSecrets:
        return String(key[signingSecretsTable.partitionKey]);
      case tables.orderingKeys:
        return String(key[orderingKeysTable.partitionKey]);
      default:
        return messageIdAt(key) ?? String(events.get(historyItemName(key)));
    }
  };
}

function byId<Value>(values: readonly Value[], idOf: (value: Value) => string): Map<string, Value> {
  return new Map(values.map((value) => [idOf(value), value]));
}

function partition(items: readonly Item[], belongs: (item: Item) => boolean): [Item[], Item[]] {
  const { yes = [], no = [] } = Object.groupBy(items, (item) => (belongs(item) ? 'yes' : 'no'));
  return [yes, no];
}
