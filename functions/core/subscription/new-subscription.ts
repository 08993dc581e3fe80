import * as z from 'zod';
import type { SigningSecretInfo } from '../attempt/signing-secret.ts';
import { CLOSED } from '../circuit/circuit.ts';
import { withTimer } from '../circuit/states.ts';
import { instant } from '../text/instant.ts';
import type { Subscription } from './subscription.ts';
import { broughtSecret, subscriptionFields } from './subscription-fields.ts';

/** Default deadline of one attempt: allows for a cold start of the partner's endpoint. */
const DEFAULT_TIMEOUT_MS = 10_000;

/** What a partner sends to create a subscription. The callback URL guard checks where the URL leads. */
export const subscriptionRequestSchema = z.strictObject({
  ...subscriptionFields,
  description: subscriptionFields.description.default(''),
  live: z.boolean().describe('`true` for live payments, `false` for test payments. Cannot be changed later.'),
  timeout_ms: subscriptionFields.timeout_ms.default(DEFAULT_TIMEOUT_MS),
  schedule: subscriptionFields.schedule.default('standard'),
  rate_limit: subscriptionFields.rate_limit.optional(),
  contact: subscriptionFields.contact.optional(),
  custom_headers: subscriptionFields.custom_headers.optional(),
  extra_signatures: subscriptionFields.extra_signatures.optional(),
  signing_secret: broughtSecret.optional(),
});
export type SubscriptionRequest = z.infer<typeof subscriptionRequestSchema>;

/** 128 bits rule out accidental collisions. */
export const SUBSCRIPTION_ID_BYTES = 16;

export function subscriptionIdOf(bytes: Uint8Array): string {
  return `sub_${Buffer.from(bytes).toString('base64url')}`;
}

/** The part of a request that operators may read: no secret, and only the names of custom headers. */
export function newSubscription(
  {
    custom_headers,
    extra_signatures,
    contact,
    rate_limit,
    signing_secret: _,
    ...request
  }: SubscriptionRequest,
  given: {
    readonly serviceId: string;
    readonly subscriptionId: string;
    readonly createdAtMs: number;
    readonly secret: SigningSecretInfo;
  },
): Subscription {
  const custom_header_names = Object.keys(custom_headers ?? {});
  return {
    service_id: given.serviceId,
    subscription_id: given.subscriptionId,
    callback_url: request.callback_url,
    description: request.description,
    event_types: request.event_types,
    live: request.live,
    state: 'active',
    created_at: instant(given.createdAtMs),
    timeout_ms: request.timeout_ms,
    schedule: request.schedule,
    ...(contact === undefined ? {} : { contact }),
    ...(extra_signatures === undefined ? {} : { extra_signatures }),
    ...(custom_header_names.length === 0 ? {} : { custom_header_names }),
    signing_secrets: [given.secret],
    revision: 1,
    ...(rate_limit === undefined ? {} : limited(rate_limit, given.createdAtMs)),
  };
}

/** The timer of a rate limit runs from the start and never ends, so a message need not start one. */
function limited(rate_limit: number, createdAtMs: number): Pick<Subscription, 'rate_limit' | 'circuit'> {
  return { rate_limit, circuit: { ...withTimer(CLOSED, createdAtMs), revision: 1 } };
}
