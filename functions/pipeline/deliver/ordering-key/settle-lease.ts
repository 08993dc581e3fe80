import { isPing } from '../../../core/catalogue/ping-names.ts';
import { decide } from '../../../core/message/decision.ts';
import type { MessageRecord } from '../../../core/message/history.ts';
import type { CancelledReason } from '../../../core/message/message.ts';
import type { QueuedMessage } from '../../../core/ordering/blocked-ordering-key.ts';
import { attemptResultOf, type LeaseResult, outcomeOfLease } from '../../../core/ordering/lease.ts';
import type { Subscription } from '../../../core/subscription/subscription.ts';
import { instant } from '../../../core/text/instant.ts';
import type { Batch } from '../batch.ts';
import type { AttemptMade } from '../endpoint/attempt-once.ts';

/** A message with a lease, and how often SQS has delivered the record that leads here. */
interface InHand {
  readonly record: MessageRecord;
  readonly queuedMessage: QueuedMessage;
  readonly receiveCount: number;
}

interface Circumstances {
  readonly subscription: Subscription | undefined;
  /** The message ends now, in hand or not, unless the partner has said that it is delivered. */
  readonly why: CancelledReason | undefined;
  readonly batch: Pick<Batch, 'ports' | 'policy'>;
}

/**
 * Decides what is to become of a message that its partner has in hand, by what the partner has said of it. A
 * lease that ends is a failed attempt.
 *
 * @returns undefined: it is still in hand
 */
export async function settleLease(
  { record, queuedMessage, receiveCount }: InHand,
  { subscription, why, batch }: Circumstances,
): Promise<Pick<AttemptMade, 'decision' | 'outcome'> | undefined> {
  const { ports, policy } = batch;
  const { lease } = queuedMessage;
  const nowMs = ports.now();
  const isOver = lease !== undefined && (why !== undefined || Date.parse(lease.until) <= nowMs);
  const said = lease?.result ?? (isOver ? await resultAtEnd(queuedMessage, lease.id, ports) : undefined);
  if (lease === undefined || said === undefined) {
    return undefined;
  }
  const result = attemptResultOf(lease, said);
  const attempted = {
    ...{ isDisabled: false, isProbe: false, isPaced: false },
    attempt: record.attempt_count + 1,
    failedAttempts: queuedMessage.failed_attempts,
    sinceMs: Date.parse(queuedMessage.since),
    schedule: isPing(record) ? [] : policy.schedules[subscription?.schedule ?? 'standard'],
    draw: ports.draw(),
    nowMs,
  };
  const decision =
    why !== undefined && said.outcome !== 'delivered'
      ? ({ state: 'cancelled', reason: why } as const)
      : decide(result, attempted, policy);
  const { attempt, outcome } = outcomeOfLease(record, lease, result, decision, nowMs);
  ports.observer.tried({ record: outcome.record, attempt, receiveCount });
  return { decision, outcome };
}

/** The partner may have said something since the lease was read: whoever writes first decides. */
async function resultAtEnd(
  { ordering_key, position }: QueuedMessage,
  id: string,
  ports: Batch['ports'],
): Promise<LeaseResult | undefined> {
  const ended = { outcome: 'ended', at: instant(ports.now()) } as const;
  return (await ports.endLease({ ordering_key, position, id }, ended))?.result;
}
