import * as z from 'zod/mini';
import { attemptSchema, FAILURE_CLASSES } from '../attempt/attempt.ts';
import { MESSAGE_STATES, numberingShape, STATE_REASONS } from './message.ts';

/**
 * How long a message may be undelivered before it has ended and its retention begins: as long as SQS keeps a
 * record.
 */
export const MESSAGE_DAYS = 14;

/** Until when a large resource stays on record, in ms since 1970, from when its event was accepted. */
export function resourceKeptUntilMs(acceptedAtMs: number, retentionDays: number): number {
  return acceptedAtMs + (MESSAGE_DAYS + retentionDays) * 86_400_000;
}

/**
 * A message in the `history` table, with its first attempt; later attempts are items of their own. Attribute
 * names are whole words, since people read them in the console. Instants are ISO 8601 in UTC with
 * milliseconds.
 */
export const messageRecordSchema = z.object({
  message_id: z.string(),
  event_id: z.string(),
  service_id: z.string(),
  subscription_id: z.string(),
  payment_id: z.string(),
  ordering_key: z.string(),
  order_number: z.string(),
  event_type: z.string(),
  resource_type: z.string(),
  resource_id: z.string(),
  live: z.boolean(),
  occurred_at: z.string(),
  expires_at: z.optional(z.string()),
  admitted_at: z.string(),
  /** When it came, if it then waited for its turn in the publisher's sequence: until `admitted_at`. */
  arrived_at: z.optional(z.string()),
  ...numberingShape,
  /** Where its resource does not fit the schema of its type, and by which keyword. */
  schema_error: z.optional(z.string()),
  /** JSON Pointers to what its subscription then got of a resource; absent: all of it. */
  fields: z.optional(z.array(z.string())),
  state: z.enum(MESSAGE_STATES),
  state_reason: z.optional(z.enum(STATE_REASONS)),
  attempt_count: z.int(),
  /** Since when a message waits that has not been attempted yet. */
  parked_at: z.optional(z.string()),
  /**
   * A worker received the message and died before it wrote what it had done: an attempt may be missing before
   * the next.
   */
  earlier_may_be_missing: z.optional(z.boolean()),
  /** It had ended and was asked for again: further attempts are late. */
  late: z.optional(z.boolean()),
  /** The recovery that last asked for it. Absent: none did, or its partner asked for it alone. */
  recovery_id: z.optional(z.string()),
  /**
   * How long it was held before its first attempt: behind an earlier message, a circuit, a paused
   * subscription. Absent: not at all.
   */
  held_ms: z.optional(z.number()),
  /** From intake to the start of the first attempt, without `held_ms`; absent when there was none. */
  time_to_send_ms: z.optional(z.number()),
  /** When it is attempted again, at the earliest. */
  next_attempt_at: z.optional(z.string()),
  /** When it became final. */
  ended_at: z.optional(z.string()),
  last_attempt_at: z.optional(z.string()),
  last_status_code: z.optional(z.int()),
  last_failure_class: z.optional(z.enum(FAILURE_CLASSES)),
  /** The form of its body: see `webhookBody`. */
  body_format: z.int().check(z.minimum(1)),
  /** The JSON text of its resource; absent when that is large, and stored once for the event. */
  resource: z.optional(z.string()),
  /**
   * When an operator erased the body and what receivers answered, for good. It cannot be sent any more; the
   * rest stays.
   */
  body_erased_at: z.optional(z.string()),
  first_attempt: z.optional(attemptSchema),
});
export type MessageRecord = z.infer<typeof messageRecordSchema>;

/**
 * What the indexes of the history hold besides their keys: how a message fares, and nothing of its content.
 */
export const INDEXED_ATTRIBUTES = [
  'service_id',
  'event_id',
  'event_type',
  'resource_type',
  'resource_id',
  'live',
  'occurred_at',
  'order_number',
  'state',
  'state_reason',
  'late',
  'attempt_count',
  'held_ms',
  'time_to_send_ms',
  'next_attempt_at',
  'ended_at',
  'last_attempt_at',
  'last_status_code',
  'last_failure_class',
] as const satisfies readonly (keyof MessageRecord)[];
