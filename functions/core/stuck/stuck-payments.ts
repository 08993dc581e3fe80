import * as z from 'zod/mini';

/**
 * The payments of a service whose events wait for an operator: in its routing item, which match reads anyway.
 * `revision` is an optimistic lock; it advances with each event that is set aside, too.
 */
export const stuckPaymentsSchema = z.object({
  revision: z.int(),
  payments: z.array(z.object({ payment_id: z.string(), since: z.string() })),
});
export type StuckPayments = z.infer<typeof stuckPaymentsSchema>;

export const NONE_STUCK: StuckPayments = { revision: 0, payments: [] };

/**
 * How many payments of a service may be stuck: each makes its routing item longer, which every batch reads.
 */
export const MAX_STUCK = 20;

/** An event becomes stuck when it fails as often: a minute after it came. */
const STUCK_AFTER_RECEIVES = 7;

export function isStuck({ payments }: StuckPayments, paymentId: string): boolean {
  return payments.some(({ payment_id }) => payment_id === paymentId);
}

/** With this payment, stuck since now unless it was before; undefined when there are too many. */
export function withStuck(
  { revision, payments }: StuckPayments,
  payment_id: string,
  since: string,
): StuckPayments | undefined {
  if (isStuck({ revision, payments }, payment_id)) {
    return { revision: revision + 1, payments };
  }
  return payments.length >= MAX_STUCK
    ? undefined
    : { revision: revision + 1, payments: [...payments, { payment_id, since }] };
}

export function withoutStuck({ revision, payments }: StuckPayments, paymentId: string): StuckPayments {
  return {
    revision: revision + 1,
    payments: payments.filter(({ payment_id }) => payment_id !== paymentId),
  };
}

/** What match does with an event: each step depends on another table or queue. */
export type MatchStep = 'resource' | 'sequence' | 'send';

/**
 * Whether an event fails for a reason of its own: again and again, while others get through the same step.
 * When a table or a queue is down, nobody does, and nobody is stuck.
 */
export function failsForItself(
  { step, receiveCount }: { readonly step: MatchStep; readonly receiveCount: number },
  passedByOthers: ReadonlySet<MatchStep>,
): boolean {
  return receiveCount >= STUCK_AFTER_RECEIVES && passedByOthers.has(step);
}
