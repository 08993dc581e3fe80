import type { Message } from '../message/message.ts';

/** SQS remembers deduplication ids for five minutes; one minute less, for clocks that differ. */
const REMEMBERED_BY_SQS_MS = 4 * 60_000;

/** Lambda hands a record over at once, unless it was throttled: by then the record may have been received again, and dealt with. */
const LATE_MS = 30_000;

/**
 * Whether the history has to be asked before a message is sent, because SQS cannot have told a repeat apart: the record was received
 * before or starts late, match may have sent the message before, or the event is older than SQS's memory. Costs nothing on the healthy path.
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
