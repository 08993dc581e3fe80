import * as z from 'zod';
import { CLOSED } from '../circuit/circuit.ts';
import { withTimer } from '../circuit/states.ts';
import { instant } from '../text/instant.ts';
import type { SigningSecretInfo, Subscription } from './subscription.ts';
import { broughtSecret, subscriptionFields } from './subscription-fields.ts';

/** Deadline of one attempt unless the subscription says otherwise: long enough for a cold start at the partner's. */
const DEFAULT_TIMEOUT_MS = 10_000;

/** What a partner sends to be told of events. Where the callback URL leads is judged by its guard. */
export const subscriptionRequestSchema = z.strictObject({
  ...subscriptionFields,
  description: subscriptionFields.description.default(''),
  live: z
    .boolean()
    .describe('Whether it is told of live payments or of test payments. This cannot be changed later.'),
  timeout_ms: subscriptionFields.timeout_ms.default(DEFAULT_TIMEOUT_MS),
  schedule: subscriptionFields.schedule.default('standard'),
  rate_limit: subscriptionFields.rate_limit.optional(),
  contact: subscriptionFields.contact.optional(),
  custom_headers: subscriptionFields.custom_headers.optional(),
  extra_signatures: subscriptionFields.extra_signatures.optional(),
  signing_secret: broughtSecret.optional(),
});
export type SubscriptionRequest = z.infer<typeof subscriptionRequestSchema>;

/** Random bytes of a subscription's id: 128 bits, beyond any accidental collision. */
export const SUBSCRIPTION_ID_BYTES = 16;

export function subscriptionIdOf(bytes: Uint8Array): string {
  return `sub_${Buffer.from(bytes).toString('base64url')}`;
}

/** What is kept of a request where everybody who looks after us may read it: no secret, and of headers the names. */
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

/** Its line is looked at from the beginning on, and never not: whoever joins it need not be able to say so. */
function limited(rate_limit: number, createdAtMs: number): Pick<Subscription, 'rate_limit' | 'circuit'> {
  return { rate_limit, circuit: { ...withTimer(CLOSED, createdAtMs), revision: 1 } };
}
