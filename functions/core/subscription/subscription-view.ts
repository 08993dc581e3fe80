import * as z from 'zod';
import { DISABLED_REASONS } from '../attempt/decision.ts';
import { activeAt } from '../attempt/signing-keys.ts';
import { CIRCUIT_STATES, type Circuit, CLOSED } from '../circuit/circuit.ts';
import { describeMembers } from '../text/describe-members.ts';
import { EXTRA_SIGNATURES, SUBSCRIPTION_STATES, type Subscription } from './subscription.ts';
import { subscriptionFields } from './subscription-fields.ts';

const moment = z.iso.datetime({ precision: 3 });
const fields = subscriptionFields;

/** What may be shown of a signing secret. */
export const signingSecretViewSchema = z.object({
  secret_id: z.string(),
  public_key: z.string(),
  created_at: z.iso.datetime({ precision: 3 }),
  expires_at: moment.optional(),
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
  callback_url: z.string(),
  description: z.string(),
  event_types: z.array(z.string()),
  live: z.boolean(),
  state: z.enum(SUBSCRIPTION_STATES).exclude(['deleted']),
  disabled_reason: z.enum(DISABLED_REASONS).optional(),
  disabled_at: moment.optional(),
  created_at: z.iso.datetime({ precision: 3 }),
  timeout_ms: z.int(),
  schedule: z.enum(['standard', 'govuk']),
  rate_limit: fields.rate_limit.optional(),
  contact: z.string().optional(),
  extra_signatures: z.array(z.enum(EXTRA_SIGNATURES)),
  custom_header_names: z.array(z.string()),
  signing_secrets: z.array(signingSecretViewSchema),
  circuit: circuitViewSchema,
});

describeMembers(subscriptionViewSchema, {
  subscription_id: 'Names it, also in the messages that it gets.',
  callback_url: 'Where webhooks are posted to, in normal form.',
  description: 'For people; empty when none was given.',
  event_types: 'Which events it gets: exact types, or beginnings of types followed by `*`.',
  live: 'Whether it is told of live payments or of test payments.',
  state:
    '`paused`: by its owner. `disabled`: by an answer of the endpoint, or after five days of nothing but failures; messages are kept for 76 hours.',
  disabled_reason:
    'Absent unless it is disabled. `gone`: the endpoint answered 410. `asked_by_receiver`: its answer said `webhook-delivery: disable`. `failing`: nothing but failures for five days.',
  disabled_at: 'Since when it is disabled.',
  created_at: 'When it was registered.',
  timeout_ms: 'How long one attempt may take, in milliseconds.',
  schedule: 'Which delays follow after attempts that failed: see where a subscription is registered.',
  rate_limit: 'At most so many attempts a second; absent: no limit.',
  contact: 'Whom to write to when the endpoint fails; absent: nobody.',
  extra_signatures: 'What signs besides `v1`; empty: nothing.',
  custom_header_names: 'Names, in lower case; their values are never shown.',
  signing_secrets: 'Those that sign, the newest first.',
  circuit: 'How the endpoint fares, and what that means for what is sent.',
});

describeMembers(signingSecretViewSchema, {
  secret_id: 'Names it, for example where it is revoked.',
  public_key: 'Verifies the `v1a` signatures of this secret: `whpk_` and the base64 of an ed25519 key.',
  created_at: 'When it was made.',
  expires_at: 'From then on it signs no more; absent: it signs until it is rotated or revoked.',
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
