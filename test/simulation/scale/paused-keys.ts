import { historyItems } from '../../../functions/adapters/dynamodb/history/history-items.ts';
import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import {
  orderingKeyItem,
  queuedMessageItemOf,
} from '../../../functions/adapters/dynamodb/ordering-keys/ordering-key-item.ts';
import {
  historyTable,
  orderingKeysTable,
  queuedMessageItem,
} from '../../../functions/adapters/dynamodb/table-keys.ts';
import { DELIVERY_POLICY } from '../../../functions/core/attempt/delivery-policy.ts';
import { type MessageRecord, messageRecordSchema } from '../../../functions/core/message/history.ts';
import {
  type BlockedKey,
  blockedKeySchema,
  type QueuedMessage,
  queuedMessageSchema,
} from '../../../functions/core/ordering/blocked-ordering-key.ts';
import type { Commit, Waiting } from '../../../functions/pipeline/deliver/ports.ts';
import type { Tables } from './tables.ts';

/** As the adapter reads them. */
const MAX_WAITING = 25;

export function keyOf(item: Item | undefined): BlockedKey | undefined {
  return item === undefined ? undefined : blockedKeySchema.parse(item);
}

/** What was written is not read back with what only puts it into an index. */
export function messageOf(item: Item | undefined): MessageRecord | undefined {
  return item === undefined ? undefined : messageRecordSchema.parse(item);
}

/** As the adapter's `keyCommitter` does: one transaction, in which each write counts twice. */
export function commit({ keys, history }: Tables, changes: Commit): 'written' | 'overtaken' {
  const { orderingKey, known, next, isAddition, queuedMessages, removed, outcomes } = changes;
  const current = keys.peek(orderingKey, orderingKeysTable.keyItem);
  if (current?.revision !== known?.revision) {
    keys.check(orderingKey, orderingKeysTable.keyItem, 2);
    return 'overtaken';
  }
  if (next === undefined) {
    keys.delete(orderingKey, orderingKeysTable.keyItem, 2);
  } else if (isAddition) {
    keys.put({ ...current, revision: next.revision }, 2);
  } else {
    keys.put(orderingKeyItem(next), 2);
  }
  const kept = new Set(queuedMessages.map(({ place: position }) => position));
  for (const queuedMessage of queuedMessages) {
    keys.put(queuedMessageItemOf(queuedMessage), 2);
  }
  for (const position of removed.filter((one) => !kept.has(one))) {
    keys.delete(orderingKey, queuedMessageItem(position), 2);
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
  const found = keys.first(orderingKey, orderingKeysTable.pointerPrefix, MAX_WAITING + 1);
  const waiting = found.slice(0, MAX_WAITING).map((item) => {
    const queuedMessage: QueuedMessage = queuedMessageSchema.parse(item);
    const record = messageOf(history.get(queuedMessage.message_id, historyTable.messageItem));
    return record === undefined ? { queuedMessage } : { queuedMessage, record };
  });
  return { waiting, isAll: found.length <= MAX_WAITING };
}

/** As the adapter's `moveCheck` does. */
export function moveCheck(
  { keys }: Tables,
  orderingKey: string,
  from: string,
  to: string,
  check: 'check_at' | 'age_check_at' = 'check_at',
): boolean {
  const item = keys.peek(orderingKey, orderingKeysTable.keyItem);
  if (item?.[check] !== from) {
    keys.check(orderingKey, orderingKeysTable.keyItem, 1);
    return false;
  }
  keys.put({ ...item, [check]: to }, 1);
  return true;
}
