import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import { checkAtMs } from '../ordering/blocked-ordering-key.ts';
import type { Arming } from '../ordering/ports.ts';
import { ifNear } from '../ordering/timers.ts';
import { instant } from '../text/instant.ts';
import { gapSignal } from './gap-signal.ts';
import type { PaymentSequence } from './payment-sequence.ts';

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

/** When sweep checks such a payment, ISO 8601. */
export function gapCheckAt(
  dueAtMs: number,
  nowMs: number,
  policy: Pick<DeliveryPolicy, 'graceMs' | 'longestTimerMs' | 'armedAheadMs'>,
): string {
  return instant(checkAtMs(dueAtMs, nowMs, policy));
}
