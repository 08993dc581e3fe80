import * as z from 'zod';
import { DISABLED_REASONS } from '../attempt/answers.ts';
import { FAILURE_CLASSES } from '../attempt/attempt.ts';
import { SUBSCRIPTION_STATES } from '../circuit/health-shape.ts';
import { EXHAUSTED_REASONS } from '../message/message.ts';

const instant = z.iso.datetime();
const count = z.int().min(0);
const previous_state = z.enum(SUBSCRIPTION_STATES).describe('The state before.');

/** The schema of one event type: the common fields, and its own. */
function operationalEvent<const Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  description: string,
  fields: Fields,
) {
  return z
    .object({
      v: z.literal(1).describe('Version of this format. New members may be added without a new version.'),
      id: z.string().describe('The same when the event is sent again.'),
      type: z.literal(type).describe('Also the DetailType.'),
      at: instant.describe('When it happened.'),
      service_id: z.string(),
      subscription_id: z.string(),
      ...fields,
    })
    .describe(description);
}

/**
 * The `Detail` of the events that Payhooks puts on its bus for its operators. No payload, no secret, no
 * callback URL. Instants are ISO 8601 in UTC with milliseconds.
 */
export const operationalEventSchema = z.discriminatedUnion('type', [
  operationalEvent(
    'circuit.opened',
    'The circuit opened: the endpoint gets only probes, or nothing at all when an operator opened it.',
    {
      reason: z
        .enum(['payments_failed', 'drain_failed', 'by_operator'])
        .describe(
          '`payments_failed`: the endpoint failed while the circuit was closed. `drain_failed`: it failed again while the backlog was being sent. `by_operator`: an operator opened the circuit.',
        ),
      failing_since: instant.optional().describe('When the current run of failures began.'),
      probe_at: instant.optional().describe('When the first probe is due; absent: no probe.'),
    },
  ),
  operationalEvent('circuit.closed', 'The circuit closed: the backlog of the endpoint has been sent.', {
    draining_since: instant
      .optional()
      .describe('When the backlog began to drain; absent when there was no backlog.'),
  }),
  operationalEvent('message.exhausted', 'A message is exhausted: it will not be tried again.', {
    reason: z.enum(EXHAUSTED_REASONS),
    message_id: z.string(),
    payment_id: z.string(),
    event_id: z.string().describe('The id that the publisher chose.'),
    event_type: z.string(),
    attempt_count: count,
    admitted_at: instant,
    last_status_code: z.int().optional(),
    last_failure_class: z.enum(FAILURE_CLASSES).optional(),
  }),
  operationalEvent(
    'subscription.disabled',
    'The subscription was disabled: its messages wait until the partner enables it.',
    {
      reason: z.enum(DISABLED_REASONS),
      previous_state,
    },
  ),
  operationalEvent('subscription.paused', 'The partner paused the subscription: its messages wait.', {
    previous_state,
  }),
  operationalEvent(
    'subscription.unproven',
    'The endpoint has to answer a challenge: the messages of its subscription wait until it has.',
    { previous_state },
  ),
  operationalEvent(
    'subscription.enabled',
    'The partner enabled the subscription, or its endpoint answered the challenge: its backlog is sent first.',
    {
      previous_state,
    },
  ),
  operationalEvent(
    'subscription.deleted',
    'The partner deleted the subscription: its waiting messages are cancelled.',
    { previous_state },
  ),
  operationalEvent('messages.waiting', 'An unusual number of messages of a subscription are waiting.', {
    waiting: count.describe('A lower bound: counting stops here.'),
  }),
  operationalEvent(
    'messages.waiting.eased',
    'The number of waiting messages has fallen to half the threshold or less.',
    {
      waiting: count,
      waiting_since: instant.describe('When messages.waiting was sent.'),
    },
  ),
]);
export type OperationalEvent = z.infer<typeof operationalEventSchema>;
export type OperationalEventType = OperationalEvent['type'];
