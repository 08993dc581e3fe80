import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import type { Arming } from '../signal/due.ts';
import { checkAtMs, ifNear } from '../signal/due.ts';
import { gapSignal } from '../signal/gap-signal.ts';
import { instant } from '../text/instant.ts';
import type { PaymentSequence } from './payment-sequence.ts';
import type { GapTimes } from './ports.ts';
import { gapEndsAtMs } from './steps.ts';

/**
 * The timer of a payment that waits for a missing event; none when that is given up later than SQS can delay
 * a message: sweep arms that one.
 */
export function timerOfGap(
  payment: Pick<PaymentSequence, 'service_id' | 'payment_id' | 'group'>,
  dueAtMs: number,
  nowMs: number,
  policy: Pick<DeliveryPolicy, 'longestTimerMs'>,
): Arming[] {
  return ifNear({ timer: gapSignal(payment), dueAtMs }, nowMs, policy);
}

/** Undefined while nothing waits. */
export function gapTimes(
  payment: Pick<PaymentSequence, 'early'>,
  nowMs: number,
  policy: Pick<DeliveryPolicy, 'sequenceGapMs' | 'graceMs' | 'longestTimerMs' | 'armedAheadMs'>,
): GapTimes | undefined {
  const endsAtMs = gapEndsAtMs(payment, policy.sequenceGapMs);
  return endsAtMs === undefined
    ? undefined
    : { due_at: instant(endsAtMs), check_at: instant(checkAtMs(endsAtMs, nowMs, policy)) };
}
