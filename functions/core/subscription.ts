import * as z from 'zod/mini';
import { circuitSchema } from './circuit.ts';
import { matchesPattern, type PublicEventType } from './event-types.ts';
import { DISABLED_REASONS } from './verdict.ts';

/** `paused` by its owner; `disabled` for a reason that its receiver gave; `deleted` while what is left of it is being cancelled. */
export const SUBSCRIPTION_STATES = ['active', 'paused', 'disabled', 'deleted'] as const;

/** A service's wish to be told: which events, where. Lives in the `subscriptions` table; holds no secret. */
export const subscriptionSchema = z.object({
  service_id: z.string(),
  subscription_id: z.string(),
  callback_url: z.string(),
  description: z.string(),
  event_types: z.array(z.string()),
  live: z.boolean(),
  state: z.enum(SUBSCRIPTION_STATES),
  disabled_reason: z.optional(z.enum(DISABLED_REASONS)),
  disabled_at: z.optional(z.string()),
  created_at: z.string(),
  /** Deadline of one attempt over DNS, connect, TLS, headers and body together. */
  timeout_ms: z.int().check(z.minimum(1_000), z.maximum(30_000)),
  /** Which delays its failed messages have; absent: the standard ones. */
  schedule: z.optional(z.enum(['standard', 'govuk'])),
  /** At most so many attempts a second; absent: no limit. */
  rate_limit: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  /** Absent while nothing has ever gone wrong. */
  circuit: z.optional(circuitSchema),
});
export type Subscription = z.infer<typeof subscriptionSchema>;

/** Whether there is no such subscription, or only what has to be cancelled of it. */
export function isGone(subscription: Pick<Subscription, 'state'> | undefined): boolean {
  return subscription === undefined || subscription.state === 'deleted';
}

/** What `match` needs of a subscription: all of a service's stand in one routing item, read with one strongly consistent read. */
export const routeSchema = z.pick(subscriptionSchema, {
  subscription_id: true,
  event_types: true,
  live: true,
});
export type Route = z.infer<typeof routeSchema>;

/** At most so many subscriptions for one service: they have to fit in its routing item. */
export const MAX_SUBSCRIPTIONS_PER_SERVICE = 20;

export function wants(
  route: Route,
  event: { readonly live: boolean; readonly public_type: PublicEventType },
): boolean {
  return (
    route.live === event.live &&
    route.event_types.some((pattern) => matchesPattern(event.public_type, pattern))
  );
}
