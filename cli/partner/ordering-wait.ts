import type { MessageSummary } from '../../functions/core/message/message-view.ts';

/** A message on record among those of its ordering key. Times in ms since 1970. */
interface Turn {
  readonly messageId: string;
  readonly admittedAtMs: number;
  /** End of the recorded time to send; the time held follows. Infinity: never attempted. */
  readonly heldFromMs: number;
  readonly attemptedAtMs: number;
  /** Infinity: not ended. */
  readonly endedAtMs: number;
}

/**
 * Ordering waits: how long messages waited in the queue behind an earlier message of their ordering key
 * (subscription and payment) that had not ended, in ms by message id. Messages that did not wait are left
 * out.
 *
 * The wait is part of the recorded time to send, which keeps counting in SQS while the message group is
 * occupied. It is not part of `held_ms`, which starts when a message is parked. A message that is not in
 * the list delays nobody, as its end is unknown. Nor does one that was requested again after its end,
 * because the record no longer has the first end. Waits behind those stay part of time to send.
 */
export function orderingWaits(messages: readonly MessageSummary[]): Map<string, number> {
  const waits = new Map<string, number>();
  const orderingKeys = Map.groupBy(
    messages,
    ({ subscription_id, payment_id }) => `${subscription_id} ${payment_id}`,
  );
  for (const ofOneKey of orderingKeys.values()) {
    let freeAtMs = 0;
    for (const { messageId, admittedAtMs, heldFromMs, endedAtMs } of ofOneKey.map(turnOf).sort(byIntake)) {
      const waitMs = Math.min(freeAtMs, heldFromMs) - admittedAtMs;
      if (waitMs > 0 && heldFromMs < Number.POSITIVE_INFINITY) {
        waits.set(messageId, waitMs);
      }
      freeAtMs = Math.max(freeAtMs, endedAtMs);
    }
  }
  return waits;
}

function turnOf(message: MessageSummary): Turn {
  const { admitted_at, ended_at, late, time_to_send_ms = Number.POSITIVE_INFINITY, held_ms = 0 } = message;
  const admittedAtMs = Date.parse(admitted_at);
  const heldFromMs = admittedAtMs + time_to_send_ms;
  return {
    messageId: message.message_id,
    admittedAtMs,
    heldFromMs,
    attemptedAtMs: heldFromMs + held_ms,
    endedAtMs: late ? 0 : ended_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(ended_at),
  };
}

/** By intake; within one ms, by first attempt, as the record has no order number. */
function byIntake(a: Turn, b: Turn): number {
  if (a.admittedAtMs !== b.admittedAtMs) {
    return a.admittedAtMs - b.admittedAtMs;
  }
  // Infinity minus itself is no number.
  return a.attemptedAtMs === b.attemptedAtMs ? 0 : a.attemptedAtMs - b.attemptedAtMs;
}
