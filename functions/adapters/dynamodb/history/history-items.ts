import { MESSAGE_DAYS } from '../../../core/message/history.ts';
import { isFinal } from '../../../core/message/outcome.ts';
import type { Outcome } from '../../../core/message/ports.ts';
import type { Item } from '../marshalled.ts';
import { attemptAddress, historyTable, undeliveredOf } from '../table-keys.ts';
import { messageItem } from './message-item.ts';

/**
 * The history items of outcomes: the whole record of each message, and every attempt after the first as an
 * item of its own. Of two outcomes for the same item the later one wins: DynamoDB would refuse the whole call
 * for a duplicate key, and a publisher that repeats an event must not stop others.
 *
 * The same outcomes always make the same items: a repeated transaction must not differ.
 */
export function historyItems(outcomes: readonly Outcome[], retentionDays: number): Item[] {
  const items = outcomes.flatMap((outcome) => itemsOf(outcome, retentionDays));
  return [...new Map(items.map((item) => [historyItemName(item), item])).values()];
}

/** Identifies a history item. */
export function historyItemName(item: Item): string {
  return `${item[historyTable.partitionKey]} ${item[historyTable.sortKey]}`;
}

function itemsOf({ record, laterAttempt }: Outcome, retentionDays: number): Item[] {
  const message = { ...messageItem(record), ...whereItIsFound(record, retentionDays) };
  const attempt = laterAttempt && {
    ...attemptAddress(record.message_id, laterAttempt.attempt),
    ...whoseItIs(record),
    ...laterAttempt,
    // Kept as long as the message can be: that may end long after the attempt.
    ...removedAfter(laterAttempt.started_at, MESSAGE_DAYS + retentionDays),
  };
  return attempt === undefined ? [message] : [message, attempt];
}

/**
 * The archive sees each attempt on its own, so the item says whose it is. Without `admitted_at`, no index
 * includes it.
 */
function whoseItIs({ service_id, subscription_id, payment_id, event_type, live }: Outcome['record']): Item {
  return { service_id, subscription_id, payment_id, event_type, live };
}

/** A delivered message pays for no index of those that are not. One that has ended goes by itself. */
function whereItIsFound(record: Outcome['record'], retentionDays: number): Item {
  return {
    ...(record.state === 'succeeded'
      ? {}
      : { undelivered: undeliveredOf(record.subscription_id, record.state) }),
    ...(isFinal(record) ? removedAfter(record.ended_at ?? record.admitted_at, retentionDays) : {}),
  };
}

function removedAfter(instant: string, days: number): Item {
  return { [historyTable.timeToLive]: Math.floor(Date.parse(instant) / 1_000) + days * 86_400 };
}
