import * as z from 'zod/mini';

/**
 * What is wanted of a key. `due`: go on, its time has come; `drain`: go on, its turn in the line has come; `probe`: try whether the endpoint is
 * back; `release` and `skip`: an operator has mended what kept it, or gives its first message up; `resend`: a message of it that has ended is wanted
 * once more.
 */
export const SIGNAL_KINDS = ['due', 'drain', 'probe', 'release', 'skip', 'resend'] as const;
export type SignalKind = (typeof SIGNAL_KINDS)[number];

/** Names a key, and whose it is. */
const orderingKeyNameSchema = z.object({
  service_id: z.string(),
  subscription_id: z.string(),
  payment_id: z.string(),
});
export type OrderingKeyName = z.infer<typeof orderingKeyNameSchema>;

/**
 * "Look at this key", on `deliveries.fifo` in the key's own group: no state, so it may be doubled or lost. `v` is the format's version.
 */
export const signalSchema = z.extend(orderingKeyNameSchema, {
  v: z.literal(1),
  wish: z.enum(SIGNAL_KINDS),
  /** Which message, where the wish is about one. */
  message_id: z.optional(z.string()),
});
export type Signal = z.infer<typeof signalSchema>;

/** What `retry-timers` holds until its time: a hint to be sent on, the next tick of a circuit, or the next step of a recovery. */
export const timerSchema = z.discriminatedUnion('kind', [
  z.extend(signalSchema, { kind: z.literal('hint') }),
  z.object({
    v: z.literal(1),
    kind: z.literal('tick'),
    service_id: z.string(),
    subscription_id: z.string(),
    /** A circuit that has moved on since knows by it that this timer is an old one. */
    tick: z.int(),
  }),
  z.object({
    v: z.literal(1),
    kind: z.literal('recovery'),
    service_id: z.string(),
    subscription_id: z.string(),
    recovery_id: z.string(),
    /** A recovery that has got further since knows by it that this timer is an old one. */
    step: z.int(),
  }),
]);
export type Timer = z.infer<typeof timerSchema>;

/** Asks for a message that has ended once more. */
export function resendSignal(message: OrderingKeyName & { readonly message_id: string }): Signal {
  return { ...signal(message, 'resend'), message_id: message.message_id };
}

export function signal(
  { service_id, subscription_id, payment_id }: OrderingKeyName,
  signalKind: SignalKind,
): Signal {
  return { v: 1, service_id, subscription_id, payment_id, wish: signalKind };
}
