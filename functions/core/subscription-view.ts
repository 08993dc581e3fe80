import * as z from 'zod/mini';
import { CIRCUIT_STATES, type Circuit, CLOSED } from './circuit.ts';
import { type Subscription, subscriptionSchema } from './subscription.ts';

/** What a partner may see of a subscription as it is. */
const seenSchema = z.pick(subscriptionSchema, {
  subscription_id: true,
  callback_url: true,
  description: true,
  event_types: true,
  live: true,
  state: true,
  disabled_reason: true,
  disabled_at: true,
  created_at: true,
  timeout_ms: true,
  rate_limit: true,
});

/** How the endpoint fares, without whose payments it is about and without what only our workers need. Instants are ISO 8601. */
const circuitViewSchema = z.object({
  state: z.enum(CIRCUIT_STATES),
  /** Absent while nothing has ever gone wrong. */
  since: z.optional(z.string()),
  /** When it is tried next whether the endpoint is back; only of an open circuit that is to be probed. */
  next_probe_at: z.optional(z.string()),
});

/** What a partner sees of a subscription. */
export const subscriptionViewSchema = z.extend(seenSchema, {
  schedule: z.enum(['standard', 'govuk']),
  circuit: circuitViewSchema,
});
export type SubscriptionView = z.infer<typeof subscriptionViewSchema>;

export function subscriptionView(subscription: Subscription): SubscriptionView {
  return {
    ...seenSchema.parse(subscription),
    schedule: subscription.schedule ?? 'standard',
    circuit: circuitView(subscription.circuit ?? CLOSED),
  };
}

function circuitView(circuit: Circuit): SubscriptionView['circuit'] {
  return {
    state: circuit.state,
    ...(circuit.since === undefined ? {} : { since: circuit.since }),
    ...(circuit.state === 'open' && circuit.probe_at !== undefined
      ? { next_probe_at: circuit.probe_at }
      : {}),
  };
}
