import * as z from 'zod/mini';
import { subscriptionSchema } from '../subscription/subscription.ts';

export const seenSubscriptionSchema = z.extend(
  z.pick(subscriptionSchema, {
    service_id: true,
    subscription_id: true,
    state: true,
    disabled_reason: true,
    disabled_at: true,
    rate_limit: true,
    timeout_ms: true,
    circuit: true,
  }),
  { callback_url: z.optional(z.string()), description: z.optional(z.string()) },
);

/**
 * What the caller may see of a subscription: its health, and for an operator also its callback URL and
 * description.
 */
export type SeenSubscription = z.infer<typeof seenSubscriptionSchema>;

export type SubscriptionName = Pick<SeenSubscription, 'service_id' | 'subscription_id'>;
