import * as z from 'zod/mini';
import { DISABLED_REASONS } from '../attempt/decision.ts';
import type { Circuit } from '../circuit/circuit.ts';
import { circuitSchema } from '../circuit/circuit.ts';
import { matchesPattern, type PublicEventType } from '../event/event-types.ts';

/** `paused` by its owner; `disabled` for a reason that its receiver gave; `deleted` while what is left of it is being cancelled. */
export const SUBSCRIPTION_STATES = ['active', 'paused', 'disabled', 'deleted'] as const;

/** Ways to sign besides Standard Webhooks' `v1`: its `v1a` (ed25519), and the header of GOV.UK Pay's webhooks. */
export const EXTRA_SIGNATURES = ['v1a', 'pay-signature'] as const;
export type ExtraSignature = (typeof EXTRA_SIGNATURES)[number];

/** A signing secret without what is secret of it. Instants are ISO 8601 in UTC with milliseconds. */
export const signingSecretInfoSchema = z.object({
  secret_id: z.string(),
  /** Verifies its `v1a` signatures: `whpk_` and base64. */
  public_key: z.string(),
  created_at: z.string(),
  /** From then on it signs no more; absent: it signs until it is rotated or revoked. */
  expires_at: z.optional(z.string()),
});
export type SigningSecretInfo = z.infer<typeof signingSecretInfoSchema>;

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
  /** Whom to write to when the endpoint fails. */
  contact: z.optional(z.string()),
  /** Besides `v1`, which signs always. */
  extra_signatures: z.optional(z.array(z.enum(EXTRA_SIGNATURES))),
  /** Names, in lower case, of headers that each webhook carries besides ours; their values lie with the secrets. */
  custom_header_names: z.optional(z.array(z.string())),
  /** What may be known of the secrets that sign, the newest first. */
  signing_secrets: z.optional(z.array(signingSecretInfoSchema)),
  /** Counts the changes that the owner has made; absent: 1. */
  revision: z.optional(z.int()),
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

/** How a subscription stands: what its owner, its receiver and its attempts have made of it. Written as one, but for the limit. */
export type EndpointHealth = Pick<
  Subscription,
  'state' | 'disabled_reason' | 'disabled_at' | 'rate_limit'
> & {
  readonly circuit: Circuit;
};
