import type { DeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';
import type { MessageRecord } from '../../../functions/core/message/history.ts';
import { isFinal } from '../../../functions/core/message/outcome.ts';
import type { BlockedKey, QueuedMessage } from '../../../functions/core/ordering/blocked-ordering-key.ts';
import { checkAtMs } from '../../../functions/core/signal/due.ts';
import { instant } from '../../../functions/core/text/instant.ts';

/** A blocked ordering key as it was, and as it is now. */
export interface KeyThenAndNow {
  readonly earlier: {
    readonly key: BlockedKey | undefined;
    readonly queuedMessages: readonly QueuedMessage[];
  };
  readonly now: { readonly key: BlockedKey | undefined; readonly positions: ReadonlySet<string> };
  /** What the history knows by now of the messages that waited then. */
  readonly records: ReadonlyMap<string, Pick<MessageRecord, 'state'>>;
}

export interface RestoredOrderingKey {
  /** Undefined where there is one, or nothing waits. */
  readonly key: BlockedKey | undefined;
  readonly queuedMessages: readonly QueuedMessage[];
  /** Messages that waited then and have ended since: they are not sent again. */
  readonly ended: number;
  /** Messages that waited then and that the history does not know: it has to be restored first. */
  readonly unknown: number;
}

/**
 * What is restored of an ordering key: queued messages that still wait, and the key itself where it is
 * missing. It comes back as waiting and due now: deliver adds it to the backlog if the circuit does not let
 * it go, whereas nobody may poll the backlog of a circuit that has closed since. One that waits for an
 * operator still does.
 */
export function restoredOrderingKey(
  { earlier, now, records }: KeyThenAndNow,
  nowMs: number,
  policy: DeliveryPolicy,
): RestoredOrderingKey {
  const missing = earlier.queuedMessages.filter(({ position }) => !now.positions.has(position));
  const known = missing.filter(({ message_id }) => records.has(message_id));
  const queuedMessages = known.filter(({ message_id }) => {
    const record = records.get(message_id);
    return record !== undefined && !isFinal(record);
  });
  const isWanted = now.key === undefined && (queuedMessages.length > 0 || now.positions.size > 0);
  return {
    key: isWanted && earlier.key !== undefined ? dueAgain(earlier.key, nowMs, policy) : undefined,
    queuedMessages,
    ended: known.length - queuedMessages.length,
    unknown: missing.length - known.length,
  };
}

function dueAgain(key: BlockedKey, nowMs: number, policy: DeliveryPolicy): BlockedKey {
  const { ordering_key, service_id, subscription_id, payment_id, oldest_since } = key;
  const lasting = {
    ordering_key,
    service_id,
    subscription_id,
    payment_id,
    oldest_since,
    revision: key.revision + 1,
  };
  if (key.state === 'stuck') {
    return { ...lasting, state: 'stuck', since: key.since, explanation: key.explanation };
  }
  const dueAtMs = Math.max(key.state === 'waiting' ? Date.parse(key.due_at) : nowMs, nowMs);
  // No timer is on its way: sweep has to find it, now or when it is due.
  const checkMs = dueAtMs === nowMs ? nowMs : checkAtMs(dueAtMs, nowMs, policy);
  return { ...lasting, state: 'waiting', due_at: instant(dueAtMs), check_at: instant(checkMs) };
}
