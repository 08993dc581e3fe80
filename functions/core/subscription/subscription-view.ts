import * as z from 'zod';
import { DISABLED_REASONS } from '../attempt/answers.ts';
import { activeAt } from '../attempt/signature.ts';
import { EXTRA_SIGNATURES } from '../attempt/signing-secret.ts';
import { CIRCUIT_STATES, type Circuit, CLOSED, DRAIN_CAUSES } from '../circuit/circuit.ts';
import { SUBSCRIPTION_STATES } from '../circuit/health-shape.ts';
import { describeMembers } from '../text/describe-members.ts';
import type { Subscription } from './subscription.ts';
import { subscriptionFields } from './subscription-fields.ts';

const moment = z.iso.datetime({ precision: 3 });
const fields = subscriptionFields;

/** What partners may see of a signing secret. */
export const signingSecretViewSchema = z.object({
  secret_id: z.string(),
  public_key: z.string(),
  created_at: z.iso.datetime({ precision: 3 }),
  expires_at: moment.optional(),
});

/** The circuit without ordering keys and without what only our workers need. */
export const circuitViewSchema = z.object({
  state: z.enum(CIRCUIT_STATES),
  cause: z.enum(DRAIN_CAUSES).optional(),
  since: moment.optional(),
  in_trouble_since: moment.optional(),
  next_probe_at: moment.optional(),
});

/* @__PURE__ */ describeMembers(circuitViewSchema, {
  state:
    '`closed`: messages are sent as they arrive. `open`: messages wait because the endpoint fails or the subscription is not active. `half_open`: one message probes whether the endpoint has recovered. `draining`: the backlog is sent, a few payments at a time.',
  cause:
    'Why it is `draining`. `crowded`: the endpoint is slow, and too many attempts were under way. `overloaded`: it asked for fewer requests. Absent: it is recovering from failures.',
  since: 'When it entered this state; absent while it has always been `closed`.',
  in_trouble_since:
    'When it last left `closed`: lasts through probes, drains and further openings. Absent while it is `closed`.',
  next_probe_at: 'When the endpoint is next probed.',
});

/** A subscription as its partner sees it: all settings except secrets, and its state. */
export const subscriptionViewSchema = z.object({
  subscription_id: z.string(),
  delivery: z.enum(['push', 'pull']),
  callback_url: z.string(),
  description: z.string(),
  event_types: z.array(z.string()),
  filter: z.unknown().optional(),
  fields: z.array(z.string()).optional(),
  live: z.boolean(),
  state: z.enum(SUBSCRIPTION_STATES).exclude(['deleted']),
  disabled_reason: z.enum(DISABLED_REASONS).optional(),
  disabled_at: moment.optional(),
  challenge_id: z.string().optional(),
  created_at: z.iso.datetime({ precision: 3 }),
  timeout_ms: z.int(),
  schedule: z.enum(['standard', 'govuk']),
  rate_limit: fields.rate_limit.optional(),
  contact: z.string().optional(),
  notices_url: z.string().optional(),
  expires_after_seconds: z.int().optional(),
  expires_at: moment.optional(),
  extra_signatures: z.array(z.enum(EXTRA_SIGNATURES)),
  custom_header_names: z.array(z.string()),
  signing_secrets: z.array(signingSecretViewSchema),
  circuit: circuitViewSchema,
});

/* @__PURE__ */ describeMembers(subscriptionViewSchema, {
  subscription_id: 'The id of the subscription, which its messages also carry.',
  delivery: '`push`: we send webhooks. `pull`: you fetch messages from its feed.',
  callback_url: 'Where webhooks are sent, in normal form; empty if `delivery` is `pull`.',
  description: 'For people; empty when none was given.',
  event_types: 'The event types it receives: exact types, or prefixes followed by `*`.',
  filter: {
    type: 'object',
    description: 'Which of these events it receives, by what they say; absent: all.',
  },
  fields: 'JSON Pointers to what it receives of each `resource`; absent: all of it.',
  live: '`true` for live payments, `false` for test payments.',
  state:
    '`unproven`: its endpoint has yet to answer the challenge; messages wait, each for 76 hours at most. `paused`: by the partner. `disabled`: by an answer of the endpoint, or after five days of nothing but failures; messages are kept for 76 hours.',
  disabled_reason:
    'Absent unless it is disabled. `gone`: the endpoint answered 410. `asked_by_receiver`: its answer said `webhook-delivery: disable`. `failing`: nothing but failures for five days.',
  disabled_at: 'When it was disabled.',
  challenge_id:
    'The message of type `challenge` that its endpoint has yet to answer: retrieve it to see the attempts. Absent: none.',
  created_at: 'When it was created.',
  timeout_ms: 'How long one attempt may take, in milliseconds.',
  schedule:
    'The delays after failed attempts: see the field of the same name when you create a subscription.',
  rate_limit: 'Maximum attempts per second; absent: no limit.',
  contact: 'Email address to write to when the endpoint fails; absent: none.',
  notices_url: 'Where notices are sent as webhooks; absent: nowhere.',
  expires_after_seconds:
    'It is deleted once its feed has not been asked for so long. Absent: it does not expire.',
  expires_at: 'When it is deleted, unless its feed is asked before. Absent: it does not expire.',
  extra_signatures: 'Signatures besides `v1`; empty: none.',
  custom_header_names: 'Names of the custom headers, in lower case; their values are never shown.',
  signing_secrets: 'The secrets that sign, newest first.',
  circuit: 'The circuit: whether messages are sent or wait.',
});

/* @__PURE__ */ describeMembers(signingSecretViewSchema, {
  secret_id: 'The id of the secret, for example to revoke it.',
  public_key: 'Verifies the `v1a` signatures of this secret: `whpk_` and the base64 of an ed25519 key.',
  created_at: 'When it was created.',
  expires_at: 'When it stops signing; absent: it signs until it is rotated or revoked.',
});

export type SubscriptionView = z.infer<typeof subscriptionViewSchema>;

export function subscriptionView(subscription: Subscription, nowMs: number): SubscriptionView {
  return subscriptionViewSchema.parse({
    ...subscription,
    ...(subscription.filter === undefined ? {} : { filter: JSON.parse(subscription.filter) as unknown }),
    delivery: subscription.delivery ?? 'push',
    schedule: subscription.schedule ?? 'standard',
    extra_signatures: subscription.extra_signatures ?? [],
    custom_header_names: subscription.custom_header_names ?? [],
    signing_secrets: signingSecretsView(subscription, nowMs),
    circuit: circuitView(subscription.circuit ?? CLOSED),
  });
}

export function signingSecretsView({ signing_secrets = [] }: Subscription, nowMs: number) {
  return activeAt(signing_secrets, nowMs);
}

export function circuitView(circuit: Circuit): SubscriptionView['circuit'] {
  return {
    state: circuit.state,
    ...(circuit.state === 'draining' && circuit.cause !== undefined ? { cause: circuit.cause } : {}),
    ...(circuit.since === undefined ? {} : { since: circuit.since }),
    ...(circuit.in_trouble_since === undefined || circuit.state === 'closed'
      ? {}
      : { in_trouble_since: circuit.in_trouble_since }),
    ...(circuit.state === 'open' && circuit.probe_at !== undefined
      ? { next_probe_at: circuit.probe_at }
      : {}),
  };
}
