import * as z from 'zod/mini';
import type { Format } from '../event/format-version.ts';
import { gapSignalSchema } from './gap-signal.ts';
import { signalSchema } from './signal.ts';

/**
 * What `retry-timers` delays: a signal to be sent on, a circuit timer, the next step of a recovery, a gap
 * signal to be sent on, or the end of a subscription that expires.
 */
export const timerSchema = z.discriminatedUnion('kind', [
  z.extend(signalSchema, { kind: z.literal('signal') }),
  z.object({
    v: z.literal(1),
    kind: z.literal('circuit'),
    service_id: z.string(),
    subscription_id: z.string(),
    /** The generation: a circuit that has moved on since ignores this timer. */
    generation: z.int(),
  }),
  z.object({
    v: z.literal(1),
    kind: z.literal('recovery'),
    service_id: z.string(),
    subscription_id: z.string(),
    recovery_id: z.string(),
    /** A recovery that is further by now ignores this timer. */
    step: z.int(),
  }),
  gapSignalSchema,
  z.object({
    v: z.literal(1),
    kind: z.literal('expiry'),
    service_id: z.string(),
    subscription_id: z.string(),
  }),
]);
export type Timer = z.infer<typeof timerSchema>;

/** Apart from those of `deliveries.fifo`, so that they are not in the bundle of `deliver`. */
export const TIMER_FORMAT: Format<Timer> = { schema: timerSchema, upgrades: [] };
