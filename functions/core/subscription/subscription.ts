import * as z from 'zod/mini';
import { DISABLED_REASONS } from '../attempt/decision.ts';
import type { Circuit } from '../circuit/circuit.ts';
import { circuitSchema } from '../circuit/circuit.ts';
import { matchesPattern, type PublicEventType } from '../event/event-types.ts';

/**
 * `paused` by the partner; `disabled` for a reason that the endpoint gave; `deleted` while the rest of it is
 * being cancelled.
 */
export const SUBSCRIPTION_STATES = ['active', 'paused', 'disabled', 'deleted'] as const;

/** Signatures besides Standard Webhooks' `v1`: its `v1a` (ed25519), and the header of GOV.UK Pay. */
export const EXTRA_SIGNATURES = ['v1a', 'pay-signature'] as const;
export type ExtraSignature = (typeof EXTRA_SIGNATURES)[number];

/** The public part of a signing secret. Instants are ISO 8601 in UTC with milliseconds. */
const signingSecretInfoSchema = z.object({
  secret_id: z.string(),
  /** Verifies its `v1a` signatures: `whpk_` and base64. */
  public_key: z.string(),
  created_at: z.string(),
  /** When it stops signing; absent: it signs until it is rotated or revoked. */
  expires_at: z.optional(z.string()),
});
export type SigningSecretInfo = z.infer<typeof signingSecretInfoSchema>;

/**
 * A subscription of a service: a callback URL, the event types it wants and its settings. Stored in the
 * `subscriptions` table; holds no secret.
 */
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
  /** The retry schedule; absent: the standard one. */
  schedule: z.optional(z.enum(['standard', 'govuk'])),
  /** Maximum attempts per second; absent: no limit. */
  rate_limit: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  /** Email address to write to when the endpoint fails. */
  contact: z.optional(z.string()),
  /** Signatures besides `v1`, which is always present. */
  extra_signatures: z.optional(z.array(z.enum(EXTRA_SIGNATURES))),
  /** Names of the custom headers, in lower case; their values are stored with the secrets. */
  custom_header_names: z.optional(z.array(z.string())),
  /** The public parts of the secrets that sign, newest first. */
  signing_secrets: z.optional(z.array(signingSecretInfoSchema)),
  /** Counts the changes that the partner has made; absent: 1. */
  revision: z.optional(z.int()),
  /** Absent while it has always been closed. */
  circuit: z.optional(circuitSchema),
});
export type Subscription = z.infer<typeof subscriptionSchema>;

/** Whether the subscription does not exist, or is deleted and only being cancelled. */
export function isGone(subscription: Pick<Subscription, 'state'> | undefined): boolean {
  return subscription === undefined || subscription.state === 'deleted';
}

/**
 * What `match` needs of a subscription. All routes of a service are in one item, read with one strongly
 * consistent read.
 */
export const routeSchema = z.pick(subscriptionSchema, {
  subscription_id: true,
  event_types: true,
  live: true,
});
export type Route = z.infer<typeof routeSchema>;

/** The routes of all subscriptions of a service must fit in one item. */
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

/**
 * What decides whether a subscription may be sent to, as the partner, the endpoint and attempts have made it.
 * Written as one, except for the rate limit.
 */
export type EndpointHealth = Pick<
  Subscription,
  'state' | 'disabled_reason' | 'disabled_at' | 'rate_limit'
> & {
  readonly circuit: Circuit;
};
