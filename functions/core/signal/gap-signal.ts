import * as z from 'zod/mini';

/**
 * Asks match whether something of a payment may be admitted. It travels as a timer, and then on
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
  /**
   * When wake sent it on, ISO 8601: what is due then is given up. By the time of its receipt, whoever got it
   * again would decide otherwise.
   */
  asked_at: z.optional(z.string()),
});
export type GapSignal = z.infer<typeof gapSignalSchema>;

export function gapSignal({
  service_id,
  payment_id,
  group,
}: Pick<GapSignal, 'service_id' | 'payment_id' | 'group'>): GapSignal {
  return { v: 1, kind: 'gap', service_id, payment_id, group };
}
