import * as z from 'zod';
import type { SigningSecretInfo } from '../attempt/signing-secret.ts';
import { CLOSED } from '../circuit/circuit.ts';
import { withTimer } from '../circuit/states.ts';
import { describeMembers } from '../text/describe-members.ts';
import { instant } from '../text/instant.ts';
import { type Subscription, wantsStageKey } from './subscription.ts';
import { broughtSecret, subscriptionFields } from './subscription-fields.ts';

/** Default deadline of one attempt: allows for a cold start of the partner's endpoint. */
const DEFAULT_TIMEOUT_MS = 10_000;

/** What is set on creation alone. */
const once = {
  delivery: z.enum(['push', 'pull']).default('push'),
  expires_after_seconds: z.int().min(60).max(86_400).optional(),
  live: z.boolean(),
};

/* @__PURE__ */ describeMembers(
  { shape: once },
  {
    delivery:
      '`push`: we send webhooks to the `callback_url`. `pull`: you fetch messages from the feed of the subscription; then `callback_url` and `rate_limit` must be absent, and `timeout_ms` has no meaning. Cannot be changed later.',
    expires_after_seconds:
      'For `pull` only: the subscription is deleted once its feed has not been asked for so long, to the minute. Absent: never.',
    live: '`true` for live payments, `false` for test payments. Cannot be changed later.',
  },
);

/** What a partner sends to create a subscription. The callback URL guard checks where the URL leads. */
export const subscriptionRequestSchema = z
  .strictObject({
    ...subscriptionFields,
    callback_url: subscriptionFields.callback_url.optional(),
    ...once,
    description: subscriptionFields.description.default(''),
    timeout_ms: subscriptionFields.timeout_ms.default(DEFAULT_TIMEOUT_MS),
    schedule: subscriptionFields.schedule.default('standard'),
    rate_limit: subscriptionFields.rate_limit.optional(),
    filter: subscriptionFields.filter.optional(),
    fields: subscriptionFields.fields.optional(),
    contact: subscriptionFields.contact.optional(),
    notices_url: subscriptionFields.notices_url.optional(),
    custom_headers: subscriptionFields.custom_headers.optional(),
    extra_signatures: subscriptionFields.extra_signatures.optional(),
    signing_secret: broughtSecret.optional(),
  })
  .refine(({ delivery, callback_url }) => delivery === 'pull' || callback_url !== undefined, {
    path: ['callback_url'],
    error: 'is missing',
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  })
  .refine(({ delivery, callback_url }) => delivery !== 'pull' || callback_url === undefined, {
    path: ['callback_url'],
    error: 'must be absent: messages are pulled',
  })
  .refine(({ delivery, rate_limit }) => delivery !== 'pull' || rate_limit === undefined, {
    path: ['rate_limit'],
    error: 'must be absent: messages are pulled',
  })
  .refine(
    ({ delivery, extra_signatures = [] }) => delivery !== 'pull' || !wantsStageKey({ extra_signatures }),
    {
      path: ['extra_signatures'],
      error: 'must not contain rfc9421: it signs a URL, and messages are pulled',
    },
  )
  .refine(
    ({ delivery, expires_after_seconds }) => delivery === 'pull' || expires_after_seconds === undefined,
    {
      path: ['expires_after_seconds'],
      error: 'must be absent: only a subscription that is pulled may expire',
    },
  );
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
    notices_url,
    filter,
    fields,
    rate_limit,
    delivery,
    callback_url = '',
    expires_after_seconds,
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
    callback_url,
    ...(delivery === 'pull' ? { delivery } : {}),
    ...(expires_after_seconds === undefined
      ? {}
      : { expires_after_seconds, expires_at: instant(given.createdAtMs + expires_after_seconds * 1_000) }),
    description: request.description,
    event_types: request.event_types,
    ...(filter === undefined ? {} : { filter }),
    ...(fields === undefined ? {} : { fields }),
    live: request.live,
    state: 'active',
    created_at: instant(given.createdAtMs),
    timeout_ms: request.timeout_ms,
    schedule: request.schedule,
    ...(contact === undefined ? {} : { contact }),
    ...(notices_url === undefined ? {} : { notices_url }),
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
