import * as z from 'zod';
import { FAILURE_CLASSES } from '../attempt/attempt.ts';
import { DISABLED_REASONS } from '../attempt/decision.ts';
import { EXHAUSTED_REASONS } from '../message/message.ts';
import { SUBSCRIPTION_STATES } from '../subscription/subscription.ts';

const instant = z.iso.datetime();
const count = z.int().min(0);
const previous_state = z.enum(SUBSCRIPTION_STATES).describe('What it was before.');

/** An event of this type: what every operational event says, and what this one says besides. */
function happening<const Type extends string, Besides extends z.ZodRawShape>(
  type: Type,
  description: string,
  besides: Besides,
) {
  return z
    .object({
      v: z.literal(1).describe('Version of this format. Members may be added without a new one.'),
      id: z.string().describe('The same whenever the same is told again.'),
      type: z.literal(type).describe('Also the DetailType.'),
      at: instant.describe('When it happened.'),
      service_id: z.string(),
      subscription_id: z.string(),
      ...besides,
    })
    .describe(description);
}

/**
 * The `Detail` of what Payhooks itself tells on its bus, for those who operate it. No payload, no secret, no callback URL. Instants are ISO 8601 in
 * UTC with milliseconds.
 */
export const operationalEventSchema = z.discriminatedUnion('type', [
  happening(
    'circuit.opened',
    'From now on an endpoint gets probes and nothing else; by an operator, nothing at all.',
    {
      reason: z
        .enum(['payments_failed', 'drain_failed', 'by_operator'])
        .describe(
          'It failed while all was well, or again while what had waited was being sent; or one of us wants it to be left alone.',
        ),
      failing_since: instant.optional().describe('Since when there was nothing but failures.'),
      probe_at: instant.optional().describe('When it is probed for the first time; absent: not at all.'),
    },
  ),
  happening('circuit.closed', 'What had waited for an endpoint has been sent.', {
    draining_since: instant.optional().describe('When that began; absent when nothing had waited.'),
  }),
  happening('message.exhausted', 'A message was given up.', {
    reason: z.enum(EXHAUSTED_REASONS),
    message_id: z.string(),
    payment_id: z.string(),
    event_id: z.string().describe('As the publisher chose it.'),
    event_type: z.string(),
    attempt_count: count,
    admitted_at: instant,
    last_status_code: z.int().optional(),
    last_failure_class: z.enum(FAILURE_CLASSES).optional(),
  }),
  happening('subscription.disabled', 'Its messages wait until its owner enables it.', {
    reason: z.enum(DISABLED_REASONS),
    previous_state,
  }),
  happening('subscription.paused', 'Its owner has its messages wait.', { previous_state }),
  happening('subscription.enabled', 'Its owner has it go on: what has waited is sent first.', {
    previous_state,
  }),
  happening('subscription.deleted', 'It is no more: what waits is cancelled.', { previous_state }),
  happening('messages.waiting', 'So many messages of a subscription wait that somebody should know.', {
    waiting: count.describe('At least so many: no more are counted.'),
  }),
  happening('messages.waiting.eased', 'Half as many wait, or fewer.', {
    waiting: count,
    waiting_since: instant.describe('When messages.waiting was told.'),
  }),
]);
export type OperationalEvent = z.infer<typeof operationalEventSchema>;
export type OperationalEventType = OperationalEvent['type'];
