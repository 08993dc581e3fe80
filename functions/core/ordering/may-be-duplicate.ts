import type { Message } from '../message/message.ts';

/** SQS remembers deduplication ids for five minutes; a minute less, since clocks differ. */
const REMEMBERED_BY_SQS_MS = 4 * 60_000;

/**
 * Lambda delivers a record at once unless it is throttled; after so long another worker may have received it
 * again.
 */
const LATE_MS = 30_000;

/**
 * Whether the history has to be read before a message is sent, since SQS may not have recognised a duplicate:
 * the record was received before or starts late, match may have sent the message before, or the event is
 * older than what SQS remembers. Costs nothing on the healthy path.
 */
export function mayBeDuplicate(
  message: Message,
  { receiveCount, firstReceivedAtMs }: { readonly receiveCount: number; readonly firstReceivedAtMs?: number },
  nowMs: number,
): boolean {
  const eventAtMs = Math.min(message.admitted_at_ms, Date.parse(message.occurred_at));
  return (
    receiveCount > 1 ||
    nowMs - (firstReceivedAtMs ?? nowMs) > LATE_MS ||
    message.sent_before === true ||
    nowMs - eventAtMs > REMEMBERED_BY_SQS_MS
  );
}
