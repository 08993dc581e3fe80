import * as z from 'zod/mini';

/**
 * Asks match to look whether something of a payment may go on. It travels as a timer, and then on
 * `events.fifo`, in order with the payment's own events. It carries no state, so it may be doubled or lost.
 * Strict: an event may have any further members.
 */
export const gapSignalSchema = z.strictObject({
  v: z.literal(1),
  kind: z.literal('gap'),
  service_id: z.string(),
  payment_id: z.string(),
  /** The message group to join. */
  group: z.string(),
});
export type GapSignal = z.infer<typeof gapSignalSchema>;

export function gapSignal({ service_id, payment_id, group }: Omit<GapSignal, 'v' | 'kind'>): GapSignal {
  return { v: 1, kind: 'gap', service_id, payment_id, group };
}
