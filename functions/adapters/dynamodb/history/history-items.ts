import { isFinal } from '../../../core/attempt/outcome.ts';
import { MESSAGE_DAYS } from '../../../core/message/history.ts';
import { isPing } from '../../../core/message/ping.ts';
import type { Outcome } from '../../../pipeline/deliver/ports.ts';
import type { Item } from '../marshalled.ts';
import { attemptItem, historyTable } from '../table-keys.ts';

/**
 * The items of the history that hold outcomes: each message's record whole, and a try that was not the first as an item of its own. Of two
 * outcomes for the same item the later one stays: DynamoDB would refuse the whole call for a key that it holds twice, and a publisher that
 * gives two payments the same event id must not stop its neighbours.
 *
 * The same outcomes make the same items whenever they are written: a transaction that is tried again must not have changed.
 */
export function historyItems(outcomes: readonly Outcome[], retentionDays: number): Item[] {
  const items = outcomes.flatMap((outcome) => itemsOf(outcome, retentionDays));
  return [...new Map(items.map((item) => [historyItemName(item), item])).values()];
}

/** Tells an item of the history from all others. */
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
    // Its message may end long after it, and must not outlive it.
    ...removedAfter(laterAttempt.started_at, MESSAGE_DAYS + retentionDays),
  };
  return attempt === undefined ? [message] : [message, attempt];
}

/** For the archive, which is told of an attempt by itself. Without `admitted_at`, so that no index has it. */
function whoseItIs({ service_id, subscription_id, payment_id, event_type, live }: Outcome['record']): Item {
  return { service_id, subscription_id, payment_id, event_type, live };
}

/**
 * A message that is not final is among those that wait, and has no end yet; one without success is found by the day it ended. One that succeeds at
 * once is in neither of these indexes; neither is a test ping that failed, which nobody was to receive.
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
