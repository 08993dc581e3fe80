import { gapTimes } from '../../../core/sequence/gap-timer.ts';
import type { PaymentSequence } from '../../../core/sequence/payment-sequence.ts';
import type { MatchPolicy, MatchPorts } from '../ports.ts';

/** The record of a payment was written by another worker: its records come again. */
export class OvertakenPaymentError extends Error {
  override readonly name = 'OvertakenPaymentError';
}

/** Writes how far a payment is. @throws OvertakenPaymentError */
export async function written(
  known: PaymentSequence | undefined,
  next: PaymentSequence,
  nowMs: number,
  ports: Pick<MatchPorts, 'advance'>,
  policy: MatchPolicy,
): Promise<PaymentSequence> {
  const stored = await ports.advance(known, next, gapTimes(next, nowMs, policy));
  if (stored === undefined) {
    throw new OvertakenPaymentError(
      `payment ${next.payment_id} of ${next.service_id} was changed by another worker`,
    );
  }
  return stored;
}
