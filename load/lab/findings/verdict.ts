import type { Attempt } from '../../../functions/core/attempt/attempt.ts';
import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import type { Receipt } from '../../../functions/load-lab/receiver/receipt.ts';
import type { RunResult } from '../../results/run-result.ts';
import type { Expected } from '../scenario/expected.ts';
import { isAccepted } from './measurements.ts';

type Promises = RunResult['promises'];
export type Recorded = Pick<
  MessageSummary,
  | 'message_id'
  | 'event_id'
  | 'subscription_id'
  | 'payment_id'
  | 'admitted_at'
  | 'state'
  | 'state_reason'
  | 'attempt_count'
  | 'ended_at'
>;
/** The attempts on record of a message; undefined when they were not read. */
export type AttemptsOf = (
  messageId: string,
) => readonly Pick<Attempt, 'failure_class' | 'earlier_may_be_missing'>[] | undefined;

interface Evidence {
  readonly expected: readonly Expected[];
  /** From the history, by message id. */
  readonly recorded: ReadonlyMap<string, Recorded>;
  /** In order of arrival at each endpoint. */
  readonly receipts: readonly (readonly Receipt[])[];
  readonly attemptsOf: AttemptsOf;
}

interface Verdict extends Promises {
  /** Sent, with unknown outcome: lost, unless the run was interrupted. */
  readonly waiting: number;
  /** Events that EventBridge delivered in another order than they were put, as it may. */
  readonly reordered: readonly Expected[];
}

/** How often each message was accepted. */
export function acceptances(receipts: Evidence['receipts']): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { webhook_id, status } of receipts.flat()) {
    if (webhook_id !== undefined && isAccepted(status)) {
      times.set(webhook_id, (times.get(webhook_id) ?? 0) + 1);
    }
  }
  return times;
}

/** Compares what receivers saw with what was sent and what is on record. */
export function verdict(evidence: Evidence, { isInterrupted = false } = {}): Verdict {
  const { expected, recorded, receipts, attemptsOf } = evidence;
  const times = acceptances(receipts);
  const ended: Record<string, number> = {};
  let delivered = 0;
  let waiting = 0;
  let repeats = 0;
  for (const { messageId, eventId } of expected) {
    const record = recorded.get(messageId);
    const count = times.get(messageId) ?? 0;
    if (count > 0 && (record === undefined || record.event_id === eventId)) {
      delivered += 1;
      if (count - 1 > explained(attemptsOf(messageId))) repeats += 1;
    } else if (record?.state === 'exhausted' || record?.state === 'cancelled') {
      const end = `${record.state}/${record.state_reason}`;
      ended[end] = (ended[end] ?? 0) + 1;
    } else {
      waiting += 1;
    }
  }
  const { violations, reordered } = orderOf(evidence);
  return {
    expected: expected.length,
    delivered,
    lost: isInterrupted ? 0 : waiting,
    waiting,
    order_violations: violations,
    reordered,
    repeats,
    invalid_signatures: receipts.flat().filter(({ signature }) => signature === 'invalid').length,
    ended,
  };
}

/** How many duplicates the attempts explain. */
function explained(attempts: ReturnType<AttemptsOf>): number {
  return (attempts ?? []).filter(
    ({ failure_class, earlier_may_be_missing }) =>
      failure_class !== undefined || earlier_may_be_missing === true,
  ).length;
}

/**
 * A message must not be attempted before every earlier one of its payment was accepted or has ended on
 * record. One that was given up may be accepted after that: its sender had left, and the receiver did not
 * know.
 */
function orderOf({ expected, recorded, receipts }: Evidence) {
  const orderingKeys = Map.groupBy(
    expected,
    ({ subscriptionId, paymentId }) => `${subscriptionId} ${paymentId}`,
  );
  const isEarlier = (one: Expected, other: Expected) => {
    const [a, b] = [recorded.get(one.messageId)?.admitted_at, recorded.get(other.messageId)?.admitted_at];
    return a !== undefined && b !== undefined ? a < b : one.sequence < other.sequence;
  };
  const earlier = new Map<string, readonly string[]>();
  const reordered: Expected[] = [];
  for (const messages of orderingKeys.values()) {
    for (const message of messages) {
      const before = messages.filter((other) => other !== message && isEarlier(other, message));
      const ids = before.map(({ messageId }) => messageId);
      if (ids.length > 0) earlier.set(message.messageId, ids);
      if (before.some(({ sequence }) => sequence > message.sequence)) reordered.push(message);
    }
  }
  const violated = new Set<string>();
  for (const seen of receipts) {
    const acceptedAt = new Map<string, string>();
    for (const { webhook_id = '', status, answered_at } of seen) {
      if (isAccepted(status) && answered_at !== undefined && !acceptedAt.has(webhook_id)) {
        acceptedAt.set(webhook_id, answered_at);
      }
    }
    for (const { webhook_id = '', received_at } of seen) {
      const isOutOfOrder = (earlier.get(webhook_id) ?? []).some((id) => {
        const ends = [acceptedAt.get(id), givenUpAt(recorded.get(id))];
        return !ends.some((at) => at !== undefined && at <= received_at);
      });
      if (isOutOfOrder) violated.add(webhook_id);
    }
  }
  return { violations: violated.size, reordered };
}

function givenUpAt(record: Recorded | undefined): string | undefined {
  return record?.state === 'exhausted' || record?.state === 'cancelled' ? record.ended_at : undefined;
}
