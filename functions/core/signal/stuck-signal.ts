import * as z from 'zod/mini';

/**
 * An operator's signal about a stuck payment. It travels on `events.fifo` in order with the payment's own
 * events: `release` lets them go on, `skip` dead-letters the first of them before. Strict: an event may have
 * any further members.
 */
export const stuckSignalSchema = z.strictObject({
  v: z.literal(1),
  kind: z.enum(['release', 'skip']),
  service_id: z.string(),
  payment_id: z.string(),
  /** The event to skip: if the signal comes again, the next one is not skipped as well. */
  record_id: z.optional(z.string()),
  /** The message group to join. */
  group: z.string(),
});
export type StuckSignal = z.infer<typeof stuckSignalSchema>;
