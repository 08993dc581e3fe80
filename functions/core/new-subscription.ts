import * as z from 'zod';
import { CLOSED } from './circuit.ts';
import { withTimer } from './circuit-states.ts';
import { isEventTypePattern, PUBLIC_EVENT_TYPES } from './event-types.ts';
import type { Subscription } from './subscription.ts';

/** Deadline of one attempt unless the subscription says otherwise: long enough for a cold start at the partner's. */
const DEFAULT_TIMEOUT_MS = 10_000;

const eventTypePattern = z
  .string()
  .refine(
    isEventTypePattern,
    `must be one of ${PUBLIC_EVENT_TYPES.join(', ')}, or how at least one of them begins followed by *`,
  );

/** What a partner sends to be told of events. The callback URL is judged by its guard. */
export const subscriptionRequestSchema = z.strictObject({
  callback_url: z.string(),
  description: z.string().max(200).default(''),
  event_types: z.array(eventTypePattern).min(1).max(20),
  live: z.boolean(),
  schedule: z.enum(['standard', 'govuk']).default('standard'),
  timeout_ms: z.int().min(1_000).max(30_000).default(DEFAULT_TIMEOUT_MS),
  rate_limit: z.int().min(1).max(100).optional(),
});
export type SubscriptionRequest = z.infer<typeof subscriptionRequestSchema>;

/** Random bytes of a subscription's id: 128 bits, beyond any accidental collision. */
export const SUBSCRIPTION_ID_BYTES = 16;

export function subscriptionIdOf(bytes: Uint8Array): string {
  return `sub_${Buffer.from(bytes).toString('base64url')}`;
}

/** Random bytes of a signing secret. Source: Standard Webhooks 1.0.0, which asks for 24 to 64. */
export const SIGNING_SECRET_BYTES = 32;

export function signingSecretOf(bytes: Uint8Array): string {
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}

export function newSubscription(
  request: SubscriptionRequest,
  given: { readonly serviceId: string; readonly subscriptionId: string; readonly createdAt: Date },
): Subscription {
  return {
    service_id: given.serviceId,
    subscription_id: given.subscriptionId,
    callback_url: request.callback_url,
    description: request.description,
    event_types: request.event_types,
    live: request.live,
    state: 'active',
    created_at: given.createdAt.toISOString(),
    timeout_ms: request.timeout_ms,
    schedule: request.schedule,
    ...(request.rate_limit === undefined ? {} : limited(request.rate_limit, given.createdAt)),
  };
}

/** Its line is looked at from the beginning on, and never not: whoever joins it need not be able to say so. */
function limited(rate_limit: number, createdAt: Date): Pick<Subscription, 'rate_limit' | 'circuit'> {
  return { rate_limit, circuit: { ...withTimer(CLOSED, createdAt.getTime()), revision: 1 } };
}
