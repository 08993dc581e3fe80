import type { PausedKey, Pointer } from '../../../core/ordering/blocked-ordering-key.ts';
import type { Item } from '../marshalled.ts';
import { keysTable, pointerItem } from '../table-keys.ts';
import { dueShard } from './due-shard.ts';

/** A paused key as the table holds it: with what puts it into the indexes of its line and its age, of what is due, or of what waits for an operator. Reading it drops that again. */
export function keyItem(key: PausedKey): Item {
  return { ...key, [keysTable.sortKey]: keysTable.keyItem, ...indexed(key) };
}

export function keyAddress(orderingKey: string): Item {
  return { [keysTable.partitionKey]: orderingKey, [keysTable.sortKey]: keysTable.keyItem };
}

export function pointerItemOf(pointer: Pointer): Item {
  return { ...pointer, [keysTable.sortKey]: pointerItem(pointer.place) };
}

export function pointerAddress(orderingKey: string, place: string): Item {
  return { [keysTable.partitionKey]: orderingKey, [keysTable.sortKey]: pointerItem(place) };
}

function indexed(key: PausedKey): Item {
  switch (key.state) {
    case 'waiting':
      return { due_shard: dueShard(key.ordering_key) };
    case 'in_line':
      return { line: key.subscription_id, aging_shard: dueShard(key.ordering_key) };
    case 'fault':
      return { faulted: keysTable.isFaulted };
  }
}
