import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { MESSAGE_DAYS, RETENTION_DAYS } from '../core/history.ts';
import { isFinal } from '../core/outcome.ts';
import type { DeliverPorts, Outcome } from '../deliver/ports.ts';
import { batchPut, type Item } from './table-batch.ts';
import { attemptItem, historyTable } from './table-keys.ts';

/**
 * Writes outcomes in batches: each message's record whole, and a try that was not the first as an item of its own. Of two outcomes for the same
 * item the later one stays: DynamoDB would refuse the whole batch for a key that it holds twice, and a publisher that gives two payments
 * the same event id must not stop its neighbours.
 */
export function historyWriter(
  client: DynamoDBClient,
  table: string,
  now: () => number,
): DeliverPorts['save'] {
  return (outcomes) =>
    batchPut(client, table, [
      ...new Map(
        outcomes
          .flatMap((outcome) => itemsOf(outcome, now()))
          .map((item) => [`${item.message_id} ${item[historyTable.sortKey]}`, item]),
      ).values(),
    ]);
}

function itemsOf({ record, laterAttempt }: Outcome, nowMs: number): Item[] {
  const { message_id } = record;
  const inDays = (days: number) => ({ [historyTable.timeToLive]: Math.floor(nowMs / 1_000) + days * 86_400 });
  // A message that is not final has no end yet; its tries must outlive it.
  const message = {
    ...record,
    [historyTable.sortKey]: historyTable.messageItem,
    ...(isFinal(record) ? inDays(RETENTION_DAYS) : {}),
  };
  const attempt = laterAttempt && {
    message_id,
    [historyTable.sortKey]: attemptItem(laterAttempt.attempt),
    ...laterAttempt,
    ...inDays(MESSAGE_DAYS + RETENTION_DAYS),
  };
  return attempt === undefined ? [message] : [message, attempt];
}
