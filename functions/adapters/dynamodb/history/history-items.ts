import { isPing } from '../../../core/event/event-types.ts';
import { MESSAGE_DAYS } from '../../../core/message/history.ts';
import { isFinal } from '../../../core/message/outcome.ts';
import type { Outcome } from '../../../core/message/ports.ts';
import type { Item } from '../marshalled.ts';
import { attemptItem, historyTable } from '../table-keys.ts';

/**
 * The history items of outcomes: the whole record of each message, and every attempt after the first as an
 * item of its own. Of two outcomes for the same item the later one wins: DynamoDB would refuse the whole call
 * for a duplicate key, and a publisher that gives two payments the same event id must not stop others.
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
  const message = {
    ...record,
    [historyTable.sortKey]: historyTable.messageItem,
    ...whereItIsFound(record, retentionDays),
  };
  const attempt = laterAttempt && {
    message_id: record.message_id,
    [historyTable.sortKey]: attemptItem(laterAttempt.attempt),
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

/**
 * Index attributes. A message that is not final is in the index of waiting messages; one that ended without
 * success is in the index by day. A success is in neither, nor is a failed test ping, which nobody was
 * waiting for.
 */
function whereItIsFound(record: Outcome['record'], retentionDays: number): Item {
  if (!isFinal(record)) {
    return { waiting_for: record.subscription_id };
  }
  const endedAt = record.ended_at ?? record.admitted_at;
  return {
    ...removedAfter(endedAt, retentionDays),
    ...(record.state === 'succeeded' || isPing(record)
      ? {}
      : { unsuccessful_on: endedAt.slice(0, 'YYYY-MM-DD'.length) }),
  };
}

function removedAfter(instant: string, days: number): Item {
  return { [historyTable.timeToLive]: Math.floor(Date.parse(instant) / 1_000) + days * 86_400 };
}
