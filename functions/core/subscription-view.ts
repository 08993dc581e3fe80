import * as z from 'zod/mini';
import { type Circuit, CLOSED } from './circuit.ts';
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
interface CircuitView {
  readonly state: Circuit['state'];
  /** Absent while nothing has ever gone wrong. */
  readonly since?: string;
  /** When it is tried next whether the endpoint is back; only of an open circuit that is to be probed. */
  readonly next_probe_at?: string;
}

/** What a partner sees of a subscription. */
export interface SubscriptionView extends z.infer<typeof seenSchema> {
  readonly schedule: NonNullable<Subscription['schedule']>;
  readonly circuit: CircuitView;
}

export function subscriptionView(subscription: Subscription): SubscriptionView {
  return {
    ...seenSchema.parse(subscription),
    schedule: subscription.schedule ?? 'standard',
    circuit: circuitView(subscription.circuit ?? CLOSED),
  };
}

function circuitView(circuit: Circuit): CircuitView {
  return {
    state: circuit.state,
    ...(circuit.since === undefined ? {} : { since: circuit.since }),
    ...(circuit.state === 'open' && circuit.probe_at !== undefined
      ? { next_probe_at: circuit.probe_at }
      : {}),
  };
}
