import * as z from 'zod';
import { CIRCUIT_STATES, type Circuit, CLOSED } from './circuit.ts';
import { activeAt } from './signing-keys.ts';
import { EXTRA_SIGNATURES, SUBSCRIPTION_STATES, type Subscription } from './subscription.ts';
import { subscriptionFields } from './subscription-fields.ts';
import { DISABLED_REASONS } from './verdict.ts';

const moment = z.iso.datetime({ precision: 3 });
const fields = subscriptionFields;

/** What may be shown of a signing secret. */
export const signingSecretViewSchema = z.object({
  secret_id: z.string(),
  public_key: z
    .string()
    .describe('Verifies the `v1a` signatures of this secret: `whpk_` and the base64 of an ed25519 key.'),
  created_at: moment,
  expires_at: moment
    .optional()
    .describe('From then on it signs no more; absent: it signs until it is rotated or revoked.'),
});

/** How the endpoint fares, without whose payments it is about and without what only our workers need. */
const circuitViewSchema = z.object({
  state: z
    .enum(CIRCUIT_STATES)
    .describe(
      '`closed`: messages are sent as they come. `open`: they wait, for the endpoint fails or the subscription is not active. `half_open`: one of them tries whether it is back. `draining`: what has waited is sent, a few payments at a time.',
    ),
  since: moment.optional().describe('Absent while nothing has ever gone wrong.'),
  next_probe_at: moment.optional().describe('When it is tried next whether the endpoint is back.'),
});

/** What a partner sees of a subscription: all that it has set but for secrets, and how it fares. */
export const subscriptionViewSchema = z.object({
  subscription_id: z.string(),
  callback_url: z.string().describe('In normal form.'),
  description: z.string(),
  event_types: z.array(z.string()),
  live: z.boolean(),
  state: z
    .enum(SUBSCRIPTION_STATES)
    .exclude(['deleted'])
    .describe(
      '`paused`: by its owner. `disabled`: by an answer of the endpoint, or after five days of nothing but failures; messages are kept for 76 hours.',
    ),
  disabled_reason: z.enum(DISABLED_REASONS).optional(),
  disabled_at: moment.optional(),
  created_at: moment,
  timeout_ms: z.int(),
  schedule: z.enum(['standard', 'govuk']),
  rate_limit: fields.rate_limit.optional(),
  contact: z.string().optional(),
  extra_signatures: z.array(z.enum(EXTRA_SIGNATURES)),
  custom_header_names: z.array(z.string()).describe('Names, in lower case; their values are never shown.'),
  signing_secrets: z.array(signingSecretViewSchema).describe('Those that sign, the newest first.'),
  circuit: circuitViewSchema,
});
export type SubscriptionView = z.infer<typeof subscriptionViewSchema>;

export function subscriptionView(subscription: Subscription, nowMs: number): SubscriptionView {
  return subscriptionViewSchema.parse({
    ...subscription,
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

function circuitView(circuit: Circuit): SubscriptionView['circuit'] {
  return {
    state: circuit.state,
    ...(circuit.since === undefined ? {} : { since: circuit.since }),
    ...(circuit.state === 'open' && circuit.probe_at !== undefined
      ? { next_probe_at: circuit.probe_at }
      : {}),
  };
}
