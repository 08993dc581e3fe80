import { historyItems } from '../../../functions/adapters/dynamodb/history/history-items.ts';
import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import {
  keyItem,
  pointerItemOf,
} from '../../../functions/adapters/dynamodb/ordering-keys/ordering-key-item.ts';
import { historyTable, keysTable, pointerItem } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { DELIVERY_POLICY } from '../../../functions/core/attempt/delivery-policy.ts';
import { type MessageRecord, messageRecordSchema } from '../../../functions/core/message/history.ts';
import {
  type PausedKey,
  type Pointer,
  pausedKeySchema,
  pointerSchema,
} from '../../../functions/core/ordering/blocked-ordering-key.ts';
import type { Commit, Waiting } from '../../../functions/pipeline/deliver/ports.ts';
import type { Tables } from './tables.ts';

/** As the adapter reads them. */
const MOST_WAITING = 25;

export function keyOf(item: Item | undefined): PausedKey | undefined {
  return item === undefined ? undefined : pausedKeySchema.parse(item);
}

/** What was written is not read back with what only puts it into an index. */
export function messageOf(item: Item | undefined): MessageRecord | undefined {
  return item === undefined ? undefined : messageRecordSchema.parse(item);
}

/** As the adapter's `keyCommitter` does: one transaction, in which each write counts twice. */
export function commit({ keys, history }: Tables, changes: Commit): 'written' | 'overtaken' {
  const { orderingKey, known, next, isAddition, pointers, removed, outcomes } = changes;
  const current = keys.peek(orderingKey, keysTable.keyItem);
  if (current?.revision !== known?.revision) {
    keys.check(orderingKey, keysTable.keyItem, 2);
    return 'overtaken';
  }
  if (next === undefined) {
    keys.delete(orderingKey, keysTable.keyItem, 2);
  } else if (isAddition) {
    keys.put({ ...current, revision: next.revision }, 2);
  } else {
    keys.put(keyItem(next), 2);
  }
  const kept = new Set(pointers.map(({ place }) => place));
  for (const pointer of pointers) {
    keys.put(pointerItemOf(pointer), 2);
  }
  for (const place of removed.filter((one) => !kept.has(one))) {
    keys.delete(orderingKey, pointerItem(place), 2);
  }
  for (const item of historyItems(outcomes, DELIVERY_POLICY.retentionDays)) {
    history.put(item, 2);
  }
  return 'written';
}

/** As the adapter's `keyReader` does: the first pointers, and the messages behind them. No body here lies apart from its message. */
export function waitingIn(
  { keys, history }: Tables,
  orderingKey: string,
): { waiting: Waiting[]; isAll: boolean } {
  const found = keys.first(orderingKey, keysTable.pointerPrefix, MOST_WAITING + 1);
  const waiting = found.slice(0, MOST_WAITING).map((item) => {
    const pointer: Pointer = pointerSchema.parse(item);
    const record = messageOf(history.get(pointer.message_id, historyTable.messageItem));
    return record === undefined ? { pointer } : { pointer, record };
  });
  return { waiting, isAll: found.length <= MOST_WAITING };
}

/** As the adapter's `moveCheck` does. */
export function moveCheck(
  { keys }: Tables,
  orderingKey: string,
  from: string,
  to: string,
  check: 'check_at' | 'age_check_at' = 'check_at',
): boolean {
  const item = keys.peek(orderingKey, keysTable.keyItem);
  if (item?.[check] !== from) {
    keys.check(orderingKey, keysTable.keyItem, 1);
    return false;
  }
  keys.put({ ...item, [check]: to }, 1);
  return true;
}
