import * as z from 'zod/mini';

/**
 * What is asked of an ordering key. `resume`: continue, its time has come. `drain`: likewise, its turn in the
 * backlog has come. `probe`: see whether the endpoint is back. `release`: an operator has fixed what kept it.
 * `skip`: an operator gives up its first message. `resend`: a message that has ended is asked for again, or
 * the next attempt of one that is retried at once. `cancel`: its partner does not want a message any more.
 */
export const SIGNAL_KINDS = ['resume', 'drain', 'probe', 'release', 'skip', 'resend', 'cancel'] as const;
export type SignalKind = (typeof SIGNAL_KINDS)[number];

/** The parts of an ordering key, and its service. */
const orderingKeyNameSchema = z.object({
  service_id: z.string(),
  subscription_id: z.string(),
  payment_id: z.string(),
});
export type OrderingKeyName = z.infer<typeof orderingKeyNameSchema>;

/**
 * A signal on `deliveries.fifo`, in the group of its ordering key. It carries no state, so it may be doubled
 * or lost. `v` is the version of the format.
 */
export const signalSchema = z.extend(orderingKeyNameSchema, {
  v: z.literal(1),
  signal_kind: z.enum(SIGNAL_KINDS),
  /** Which message, if the signal is about one. */
  message_id: z.optional(z.string()),
  /** The attempt of it that the next is to follow at once. Absent: the message is to have ended. */
  after_attempt: z.optional(z.int()),
  /** Which recovery asks for it, if one does. */
  recovery_id: z.optional(z.string()),
});
export type Signal = z.infer<typeof signalSchema>;

/** Asks for a message that has ended again. @param recovery_id absent: its partner asks for this one */
export function resendSignal(
  message: OrderingKeyName & { readonly message_id: string },
  recovery_id?: string,
): Signal {
  const { message_id } = message;
  return {
    ...signal(message, 'resend'),
    message_id,
    ...(recovery_id === undefined ? {} : { recovery_id }),
  };
}

/** Asks for the next attempt of a message at once. Another attempt in the meantime makes it void. */
export function retrySignal(
  message: OrderingKeyName & { readonly message_id: string; readonly attempt_count: number },
): Signal {
  return { ...resendSignal(message), after_attempt: message.attempt_count };
}

/** Asks that a message ends that has not ended yet. */
export function cancelSignal(message: OrderingKeyName & { readonly message_id: string }): Signal {
  return { ...signal(message, 'cancel'), message_id: message.message_id };
}

export function signal(
  { service_id, subscription_id, payment_id }: OrderingKeyName,
  signalKind: SignalKind,
): Signal {
  return { v: 1, service_id, subscription_id, payment_id, signal_kind: signalKind };
}
