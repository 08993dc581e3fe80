import * as z from 'zod/mini';
import { matchesPattern, type PublicEventType } from './event-types.ts';

/** A service's wish to be told: which events, where. Lives in the `subscriptions` table; holds no secret. */
export const subscriptionSchema = z.object({
  service_id: z.string(),
  subscription_id: z.string(),
  callback_url: z.string(),
  description: z.string(),
  event_types: z.array(z.string()),
  live: z.boolean(),
  state: z.enum(['active', 'paused', 'disabled']),
  created_at: z.string(),
  /** Deadline of one attempt over DNS, connect, TLS, headers and body together. */
  timeout_ms: z.int().check(z.minimum(1_000), z.maximum(30_000)),
});
export type Subscription = z.infer<typeof subscriptionSchema>;

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
