import type { BlockedKey, QueuedMessage } from '../../../core/ordering/blocked-ordering-key.ts';
import { keyTimer } from '../../../core/ordering/timers.ts';
import type { Item } from '../marshalled.ts';
import { orderingKeysTable, queuedMessageItem } from '../table-keys.ts';
import { dueShard } from './due-shard.ts';

/**
 * A blocked ordering key as stored, with the attributes that put it into the indexes: its backlog and age,
 * when a check is due and what sweep sends then, or that it is stuck. Reading it drops these attributes.
 */
export function orderingKeyItem(key: BlockedKey): Item {
  return { ...key, [orderingKeysTable.sortKey]: orderingKeysTable.keyItem, ...indexed(key) };
}

export function orderingKeyAddress(orderingKey: string): Item {
  return {
    [orderingKeysTable.partitionKey]: orderingKey,
    [orderingKeysTable.sortKey]: orderingKeysTable.keyItem,
  };
}

export function queuedMessageItemOf(queuedMessage: QueuedMessage): Item {
  return { ...queuedMessage, [orderingKeysTable.sortKey]: queuedMessageItem(queuedMessage.position) };
}

export function queuedMessageAddress(orderingKey: string, position: string): Item {
  return {
    [orderingKeysTable.partitionKey]: orderingKey,
    [orderingKeysTable.sortKey]: queuedMessageItem(position),
  };
}

function indexed(key: BlockedKey): Item {
  switch (key.state) {
    case 'waiting':
      return { due_shard: dueShard(key.ordering_key), timer: keyTimer(key) };
    case 'backlogged':
      return {
        backlog_of: key.subscription_id,
        aging_shard: dueShard(key.ordering_key),
        timer: keyTimer(key),
      };
    case 'stuck':
      return { stuck: orderingKeysTable.isStuck };
  }
}
