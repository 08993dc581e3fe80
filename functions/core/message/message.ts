import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { PaymentEvent } from '../event/event.ts';

/**
 * An item of the history holds at most 400 KB, and no webhook should be larger than this. In bytes of UTF-8.
 */
export const LARGEST_RESOURCE_BYTES = 256 * 1024;

/** States a message can be in. The last three are final. */
export const MESSAGE_STATES = ['retrying', 'parked', 'succeeded', 'exhausted', 'cancelled'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

export type UndeliveredState = Exclude<MessageState, 'succeeded'>;

/** In these it waits: for an attempt, or for something else. */
export const WAITING_STATES = ['retrying', 'parked'] as const satisfies readonly MessageState[];

/** Why a message is in its state: what a parked one waits for, or why a final one did not succeed. */
export const PARKED_REASONS = [
  'behind_earlier',
  'circuit_open',
  'catching_up',
  'rate_limited',
  'paused',
  'disabled',
  'to_be_pulled',
  'unproven',
  'fault',
] as const;
export type ParkedReason = (typeof PARKED_REASONS)[number];
export const EXHAUSTED_REASONS = ['schedule', 'age', 'aborted_by_receiver'] as const;
export type ExhaustedReason = (typeof EXHAUSTED_REASONS)[number];
/**
 * `disabled`: it came after its subscription had been disabled for days. `superseded`: a challenge that its
 * endpoint need not answer any more.
 */
export const CANCELLED_REASONS = [
  'deleted',
  'expired',
  'skipped',
  'disabled',
  'cancelled_by_partner',
  'superseded',
] as const;
export type CancelledReason = (typeof CANCELLED_REASONS)[number];
export const STATE_REASONS = [...new Set([...PARKED_REASONS, ...EXHAUSTED_REASONS, ...CANCELLED_REASONS])];

/** Where a message stands among those that its subscription gets of a payment whose events are numbered. */
export const numberingShape = {
  /** The publisher's: the position of the event among the events of its payment. */
  sequence: z.optional(z.int()),
  /** The position among the messages that this subscription gets of this payment, from 1. */
  position: z.optional(z.int()),
  /** The message before it in that order; absent: it is the first. */
  previous_message_id: z.optional(z.string()),
  /** The event before it had not come when this one could not wait for it any longer. */
  gap_before: z.optional(z.boolean()),
  /** Events that follow it in the sequence were admitted before it came. */
  came_late: z.optional(z.boolean()),
} as const;

/**
 * One event for one subscription, on `deliveries.fifo`. `v` is the version of the format: a newer `deliver`
 * still reads what an older `match` has sent.
 */
export const messageSchema = z.object({
  v: z.literal(1),
  message_id: z.string(),
  event_id: z.string(),
  service_id: z.string(),
  subscription_id: z.string(),
  payment_id: z.string(),
  event_type: z.string(),
  resource_type: z.string(),
  resource_id: z.string(),
  live: z.boolean(),
  /**
   * In ms since 1970, where time to send starts: when `events.fifo` took the event or, if it was early, the
   * record that admitted it.
   */
  admitted_at_ms: z.int(),
  /** When `events.fifo` took it, in ms since 1970, if it then waited for its turn in the sequence. */
  arrived_at_ms: z.optional(z.int()),
  /** When it happened, as the publisher wrote it. */
  occurred_at: z.string(),
  expires_at: z.optional(z.string()),
  /**
   * The order among the events of a payment: SequenceNumber given by `events.fifo` or, of an event that was
   * early, that of the record that admitted it, a point, and its rank among those that were admitted
   * together.
   */
  order_number: z.string(),
  /** The resource as JSON text; absent when it is large, and stored in the history once for the event. */
  resource: z.optional(z.string()),
  /** Where its resource does not fit the schema of its type, and by which keyword. */
  schema_error: z.optional(z.string()),
  /** JSON Pointers to what was kept of the resource, as of when the message was made; absent: all of it. */
  fields: z.optional(z.array(z.string())),
  /** match may have sent this message before: the history has to be read. */
  sent_before: z.optional(z.boolean()),
  /** A test by the partner: attempted once, whatever the circuit. */
  ping: z.optional(z.boolean()),
  ...numberingShape,
});
export type Message = z.infer<typeof messageSchema>;

export type Numbering = Pick<Message, keyof typeof numberingShape>;

interface Named {
  readonly service_id: string;
  readonly payment_id: string;
  readonly event_id: string;
  readonly subscription_id: string;
}

const ID_PREFIX = 'msg_';
/** 120 bits in base64url: no accidental collisions. */
const HASH_BYTES = 15;
const HASH_LENGTH = 20;
const ID_LENGTH = ID_PREFIX.length + 2 * HASH_LENGTH;

/**
 * The `webhook-id`: the same whenever the same event of a payment is matched with the same subscription, so
 * that a duplicate from anywhere before `deliver` is recognised. Its first half is the payment's hash, so
 * that an id alone says where its message is on record.
 */
export function messageId(of: Named): string {
  return `${ID_PREFIX}${paymentHash(of)}${hash(of.event_id, of.subscription_id)}`;
}

/** Names a payment of a service; publishers choose both ids, so neither alone is unique. */
export function paymentHash({ service_id, payment_id }: Pick<Named, 'service_id' | 'payment_id'>): string {
  return hash(service_id, payment_id);
}

/** The two halves of a message's id: whose payment it is of, and which message it is there. */
export function partsOf(id: string): { readonly paymentHash: string; readonly messageHash: string } {
  const hashes = id.slice(ID_PREFIX.length);
  return { paymentHash: hashes.slice(0, HASH_LENGTH), messageHash: hashes.slice(HASH_LENGTH) };
}

/** The id of which these are the halves. */
export function joined(payment: string, message: string): string {
  return `${ID_PREFIX}${payment}${message}`;
}

/** Whether a message of this id can be of this payment: else nobody would find it there. */
export function isOfPayment(id: string, payment: Pick<Named, 'service_id' | 'payment_id'>): boolean {
  return id.length === ID_LENGTH && partsOf(id).paymentHash === paymentHash(payment);
}

/** No part contains a line break. */
function hash(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest().subarray(0, HASH_BYTES).toString('base64url');
}

/**
 * The ordering key: messages of one payment for one subscription stay in order, and no others. The SQS
 * message group.
 */
export function orderingKey(of: Pick<Message, 'subscription_id' | 'payment_id'>): string {
  return `${of.subscription_id}.${of.payment_id}`;
}

/** Names an event's resource that is stored apart from its messages. */
export function resourceKey({ service_id, payment_id, event_id }: ResourceName): string {
  return `${service_id}#${payment_id}#${event_id}`;
}

/** Of which event of which payment it is. */
export type ResourceName = Pick<Message, 'service_id' | 'payment_id' | 'event_id'>;

/** What a body says, besides the resource. */
type Said = Pick<Message, 'message_id' | 'occurred_at' | 'resource_id' | 'resource_type' | 'event_type'> &
  Partial<Pick<Message, 'payment_id'>> &
  Numbering;

/**
 * The forms in which a body can be composed. A message is on record with the number of its form, from 1, and
 * its bytes must be the same at every attempt: forms are added, never changed. Code that does not know a form
 * leaves the message to code that does.
 */
const FORMS: readonly ((of: Said, resource: string) => string)[] = [membersInOrder];

/** The number of forms that this code knows. */
export const BODY_FORMATS = FORMS.length;

/** The form of new messages: one that the release before this one knows, too. */
export const BODY_FORMAT = 1;

/** The body that is signed and sent. */
export function webhookBody(
  message: Said & { readonly body_format?: number | undefined },
  resource: string,
): string {
  return (FORMS[(message.body_format ?? BODY_FORMAT) - 1] as (typeof FORMS)[number])(message, resource);
}

/**
 * These members, in this order. `created_date` is the event's time in UTC with milliseconds. Only a message
 * of a numbered event says where it stands.
 */
function membersInOrder(message: Said, resource: string): string {
  const created_date = new Date(message.occurred_at).toISOString();
  const head = JSON.stringify({
    webhook_message_id: message.message_id,
    api_version: 1,
    created_date,
    resource_id: message.resource_id,
    resource_type: message.resource_type,
    event_type: message.event_type,
    ...(message.sequence === undefined
      ? {}
      : {
          payment_id: message.payment_id,
          sequence: message.sequence,
          ...(message.position === undefined
            ? {}
            : { position: message.position, previous_message_id: message.previous_message_id ?? null }),
          ...(message.gap_before ? { gap_before: true } : {}),
          ...(message.came_late ? { late: true } : {}),
        }),
  });
  return `${head.slice(0, -1)},"resource":${resource}}`;
}

/** The message that an event becomes for one subscription, without its resource. */
export function messageOf(
  event: PaymentEvent,
  subscriptionId: string,
  intake: { readonly admittedAtMs: number; readonly orderNumber: string },
): Message {
  return {
    v: 1,
    message_id: messageId({ ...event, subscription_id: subscriptionId }),
    event_id: event.event_id,
    service_id: event.service_id,
    subscription_id: subscriptionId,
    payment_id: event.payment_id,
    event_type: event.public_type,
    resource_type: event.resource_type,
    resource_id: event.resource_id,
    live: event.live,
    admitted_at_ms: intake.admittedAtMs,
    occurred_at: event.occurred_at,
    ...(event.expires_at === undefined ? {} : { expires_at: event.expires_at }),
    ...(event.schema_error === undefined ? {} : { schema_error: event.schema_error }),
    order_number: intake.orderNumber,
  };
}
