import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import { checkAtMs } from '../signal/due.ts';
import { gapSignal } from '../signal/gap-signal.ts';
import { instant } from '../text/instant.ts';
import type { PaymentSequence } from './payment-sequence.ts';
import type { Gap } from './ports.ts';
import { gapEndsAtMs } from './steps.ts';

/** The gap of a payment; undefined while nothing waits. */
export function gapOf(
  payment: Pick<PaymentSequence, 'service_id' | 'payment_id' | 'group' | 'early'>,
  nowMs: number,
  policy: Pick<DeliveryPolicy, 'sequenceGapMs' | 'graceMs' | 'longestTimerMs' | 'armedAheadMs'>,
): Gap | undefined {
  const endsAtMs = gapEndsAtMs(payment, policy.sequenceGapMs);
  return endsAtMs === undefined
    ? undefined
    : {
        timer: gapSignal(payment),
        due_at: instant(endsAtMs),
        check_at: instant(checkAtMs(endsAtMs, nowMs, policy)),
      };
}
