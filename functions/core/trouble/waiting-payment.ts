import * as z from 'zod/mini';

/** From how many failures in a row a payment is reported: its partner has had some minutes by then. */
export const AGAIN_AND_AGAIN = 3;

export const waitingPaymentSchema = z.object({
  service_id: z.string(),
  subscription_id: z.string(),
  payment_id: z.string(),
  oldest_since: z.string(),
});

/** A payment that waits for its next attempt, not for a circuit. */
export type WaitingPayment = z.infer<typeof waitingPaymentSchema>;

export interface WaitingPayments {
  /** By the id of their subscription, the longest waiting first. */
  readonly bySubscription: ReadonlyMap<string, readonly WaitingPayment[]>;
  /** There were more than were examined: those with the nearest next attempt are left out. */
  readonly isCut: boolean;
}
