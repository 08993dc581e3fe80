import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import type { Expected } from '../scenario/expected.ts';

/** What it takes of a message's record. */
type Recorded = Pick<MessageSummary, 'admitted_at' | 'ended_at' | 'late' | 'time_to_send_ms' | 'held_ms'>;

/** A message on record among those of its key, in ms since 1970. */
interface Turn {
  readonly messageId: string;
  readonly admittedAtMs: number;
  /** What its record counts as time to send goes from admission to here; what is held follows. Infinity: it was never attempted. */
  readonly heldFromMs: number;
  readonly attemptedAtMs: number;
  /** Infinity: it has not ended. */
  readonly endedAtMs: number;
}

/**
 * How long messages waited in the queue behind an earlier one of their key (subscription and payment) that had not ended yet, in ms by message id; those
 * that did not are left out.
 *
 * It lies within the time to send of the record, which goes on inside SQS while the message group is taken, and has no part in `held_ms`, which
 * begins when a message is parked. A message without a record holds back nobody, as nothing is known of its end; nor does one that had ended
 * and was asked for again, as its first end is not on record any more: what was waited for them stays time to send.
 */
export function orderingWaits(
  expected: readonly Pick<Expected, 'messageId' | 'subscriptionId' | 'paymentId'>[],
  recorded: ReadonlyMap<string, Recorded>,
): Map<string, number> {
  const waits = new Map<string, number>();
  const keys = Map.groupBy(expected, ({ subscriptionId, paymentId }) => `${subscriptionId} ${paymentId}`);
  for (const messages of keys.values()) {
    const turns = messages.flatMap(({ messageId }) => {
      const record = recorded.get(messageId);
      return record === undefined ? [] : turnOf(messageId, record);
    });
    let freeAtMs = 0;
    for (const { messageId, admittedAtMs, heldFromMs, endedAtMs } of turns.sort(inTurn)) {
      const waitMs = Math.min(freeAtMs, heldFromMs) - admittedAtMs;
      if (waitMs > 0 && heldFromMs < Number.POSITIVE_INFINITY) waits.set(messageId, waitMs);
      freeAtMs = Math.max(freeAtMs, endedAtMs);
    }
  }
  return waits;
}

function turnOf(messageId: string, record: Recorded): Turn {
  const { admitted_at, ended_at, late, time_to_send_ms = Number.POSITIVE_INFINITY, held_ms = 0 } = record;
  const admittedAtMs = Date.parse(admitted_at);
  const heldFromMs = admittedAtMs + time_to_send_ms;
  return {
    messageId,
    admittedAtMs,
    heldFromMs,
    attemptedAtMs: heldFromMs + held_ms,
    endedAtMs: late ? 0 : ended_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(ended_at),
  };
}

/** As admitted; of two in the same ms the one that was attempted first, as the record does not have their order numbers. */
function inTurn(a: Turn, b: Turn): number {
  if (a.admittedAtMs !== b.admittedAtMs) return a.admittedAtMs - b.admittedAtMs;
  return a.attemptedAtMs === b.attemptedAtMs ? 0 : a.attemptedAtMs - b.attemptedAtMs;
}
