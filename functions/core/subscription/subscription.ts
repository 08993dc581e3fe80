import * as z from 'zod/mini';
import { EXTRA_SIGNATURES, signingSecretInfoSchema } from '../attempt/signing-secret.ts';
import { matchesPattern } from '../catalogue/catalogue.ts';
import { circuitSchema } from '../circuit/circuit.ts';
import { type EndpointHealth, endpointHealthShape } from '../circuit/health-shape.ts';
import { refusedBy } from '../filter/evaluate.ts';
import type { FilteredEvent } from '../filter/pattern.ts';

/**
 * A subscription of a service: a callback URL, the event types it wants and its settings. Stored in the
 * `subscriptions` table; holds no secret.
 */
export const subscriptionSchema = z.object({
  service_id: z.string(),
  subscription_id: z.string(),
  /** Empty where the partner pulls. */
  callback_url: z.string(),
  description: z.string(),
  event_types: z.array(z.string()),
  /** The JSON text of a `Pattern` that its events have to match; absent: all do. */
  filter: z.optional(z.string()),
  /** JSON Pointers to what it gets of each resource; absent: all of it. */
  fields: z.optional(z.array(z.string())),
  live: z.boolean(),
  ...endpointHealthShape,
  created_at: z.string(),
  /** Deadline of one attempt over DNS, connect, TLS, headers and body together. */
  timeout_ms: z.int().check(z.minimum(1_000), z.maximum(30_000)),
  /** The retry schedule; absent: the standard one. */
  schedule: z.optional(z.enum(['standard', 'govuk'])),
  /** Email address to write to when the endpoint fails. */
  contact: z.optional(z.string()),
  /** Where notices are sent as webhooks. */
  notices_url: z.optional(z.string()),
  /** Signatures besides `v1`, which is always present. */
  extra_signatures: z.optional(z.array(z.enum(EXTRA_SIGNATURES))),
  /** Names of the custom headers, in lower case; their values are stored with the secrets. */
  custom_header_names: z.optional(z.array(z.string())),
  /** The public parts of the secrets that sign, newest first. */
  signing_secrets: z.optional(z.array(signingSecretInfoSchema)),
  /** It is deleted when its feed has not been asked for so long. Absent: never. */
  expires_after_seconds: z.optional(z.int()),
  expires_at: z.optional(z.string()),
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

/** Whether its partner fetches its messages. */
export function isPulled(subscription: Pick<Subscription, 'delivery'> | undefined): boolean {
  return subscription?.delivery === 'pull';
}

/** Whether its webhooks are also signed with a key of the stage. */
export function wantsStageKey({ extra_signatures = [] }: Pick<Subscription, 'extra_signatures'>): boolean {
  return extra_signatures.includes('rfc9421');
}

/**
 * What `match` needs of a subscription. All routes of a service are in one item, read with one strongly
 * consistent read.
 */
export const routeSchema = z.pick(subscriptionSchema, {
  subscription_id: true,
  event_types: true,
  filter: true,
  fields: true,
  live: true,
});
export type Route = z.infer<typeof routeSchema>;

/** The routes of all subscriptions of a service must fit in one item. */
export const MAX_SUBSCRIPTIONS_PER_SERVICE = 20;

/**
 * @param seen what filters see of the event: asked for only if there is one. Undefined: nobody knows its
 * resource any more, and every filter takes it
 */
export function wants(
  route: Route,
  event: { readonly live: boolean; readonly public_type: string },
  seen: () => FilteredEvent | undefined,
): boolean {
  return (
    route.live === event.live &&
    route.event_types.some((pattern) => matchesPattern(event.public_type, pattern)) &&
    (route.filter === undefined || takes(route.filter, seen()))
  );
}

function takes(filter: string, event: FilteredEvent | undefined): boolean {
  return event === undefined || refusedBy(JSON.parse(filter), event) === undefined;
}

/** The subscription with this endpoint health. */
export function withEndpointHealth(
  subscription: Subscription,
  { circuit, ...health }: EndpointHealth,
): Subscription {
  // Fields that the endpoint health lacks are removed.
  const {
    disabled_reason: _,
    disabled_at: __,
    challenge_id: ___,
    rate_limit: ____,
    circuit: _____,
    ...lasting
  } = subscription;
  return { ...lasting, ...health, ...(circuit.revision === 0 ? {} : { circuit }) };
}
