import * as z from 'zod';
import { CLOSED } from '../circuit/circuit.ts';
import { messageSummarySchema } from '../message/message-view.ts';
import { circuitView, circuitViewSchema, subscriptionViewSchema } from '../subscription/subscription-view.ts';
import { describeMembers } from '../text/describe-members.ts';
import type { Endpoint } from './endpoints.ts';
import { HEALTHS } from './health.ts';

const moment = z.iso.datetime({ precision: 3 });
const count = z.int().min(0);

/** An endpoint in trouble, as the people who run a stage see it. */
export const endpointViewSchema = z.object({
  service_id: z.string(),
  subscription_id: z.string(),
  callback_url: z.string().optional(),
  state: subscriptionViewSchema.shape.state,
  disabled_reason: subscriptionViewSchema.shape.disabled_reason,
  circuit: circuitViewSchema,
  health: z.enum(HEALTHS),
  since: moment.optional(),
  waiting: count,
  last_failure_class: messageSummarySchema.shape.last_failure_class,
  last_status_code: messageSummarySchema.shape.last_status_code,
  attempts: count,
  failed_attempts: count,
  refused_payments: count,
  payment_id: z.string().optional(),
  message_id: z.string().optional(),
});
export type EndpointView = z.infer<typeof endpointViewSchema>;

/* @__PURE__ */ describeMembers(endpointViewSchema, {
  service_id: 'The service whose endpoint it is.',
  subscription_id: 'The id of its subscription.',
  callback_url: 'Where webhooks are sent: only scheme and host.',
  state: 'Of the subscription.',
  disabled_reason: 'Absent unless it is disabled.',
  circuit: 'The circuit: whether messages are sent or wait.',
  health:
    '`failing`: its circuit opened by itself. `open by hand`: an operator opened it. `slow`, `recovering`: its backlog is drained. `well`: its circuit is closed, but it refuses some payments again and again.',
  since: 'Since when it is in trouble, if that is known.',
  waiting: 'Messages that have not ended yet; counting stops at 1,000.',
  last_failure_class: 'Why the newest failed attempt failed. Absent if none of the examined ones did.',
  last_status_code: 'What that attempt was answered; absent when no answer came.',
  attempts: 'How many of the latest attempts were examined, at most 50.',
  failed_attempts: 'How many of these failed.',
  refused_payments: 'Payments that are refused again and again while others get through.',
  payment_id: 'The one of these that waits longest, or that failed last.',
  message_id: 'The message of that payment.',
});

export function endpointView(endpoint: Endpoint): EndpointView {
  const { subscription, health, figures, lastError, waiting, refused } = endpoint;
  const { service_id, subscription_id, callback_url, state, disabled_reason, disabled_at } = subscription;
  const { circuit = CLOSED } = subscription;
  const shown = refused?.longest ?? lastError;
  const since =
    refused?.longest.waits_since ??
    disabled_at ??
    circuit.in_trouble_since ??
    circuit.failing_since ??
    circuit.since;
  return endpointViewSchema.parse({
    service_id,
    subscription_id,
    callback_url,
    state,
    disabled_reason,
    circuit: circuitView(circuit),
    health,
    since,
    waiting,
    last_failure_class: shown?.last_failure_class,
    last_status_code: shown?.last_status_code,
    attempts: figures?.attempts ?? 0,
    failed_attempts: figures?.failed ?? 0,
    refused_payments: refused?.payments ?? 0,
    payment_id: shown?.payment_id,
    message_id: shown?.message_id,
  });
}
