import { createHash } from 'node:crypto';
import * as z from 'zod/mini';

/** An event that has come before its turn: it waits in the store. */
const earlyEventSchema = z.object({
  sequence: z.int(),
  event_id: z.string(),
  /** Since when it waits, ISO 8601 in UTC with milliseconds. */
  since: z.string(),
  /** What came before it is not waited for any more: it was due, and is admitted marked. */
  gap_before: z.optional(z.boolean()),
});
export type EarlyEvent = z.infer<typeof earlyEventSchema>;

/**
 * How far a payment is whose events are numbered: which number is next, what is remembered of those before,
 * and what waits. Attribute names are whole words, since people read them in the console.
 */
export const paymentSequenceSchema = z.object({
  service_id: z.string(),
  payment_id: z.string(),
  /** Optimistic lock: advances with each write. */
  revision: z.int(),
  /** The number of the event that is admitted next. */
  next: z.int(),
  /**
   * Digests of the events right before `next`, the newest first; empty: it has not come. They tell a repeat
   * from a straggler, and from another event with the same number.
   */
  recent: z.array(z.string()),
  /** Digests of events that came with a number that another event had, the newest first. */
  others: z.array(z.string()),
  /** What waits, by sequence. */
  early: z.array(earlyEventSchema),
  /** The message group on `events.fifo` from which the events come: a signal joins it. */
  group: z.string(),
  /**
   * The order number of what was admitted last, and when that was, in ms since 1970; empty and 0: nothing
   * has.
   */
  order_number: z.string(),
  admitted_at_ms: z.int(),
  /** Of each subscription: how many messages it got, and the last of them. */
  sent: z.record(z.string(), z.object({ position: z.int(), message_id: z.string() })),
});
export type PaymentSequence = z.infer<typeof paymentSequenceSchema>;

/** The part that tells people how far a payment is. */
export const sequenceProgressSchema = z.pick(paymentSequenceSchema, {
  next: true,
  recent: true,
  early: true,
  sent: true,
});
export type SequenceProgress = z.infer<typeof sequenceProgressSchema>;

export type PaymentName = Pick<PaymentSequence, 'service_id' | 'payment_id'>;

/** Names a payment: ids of services and payments contain no `#`. */
export function paymentKey({ service_id, payment_id }: PaymentName): string {
  return `${service_id}#${payment_id}`;
}

/** 48 bits: one of a million payments with a hundred events each may mistake an event for another. */
export function digestOf(eventId: string): string {
  return createHash('sha256').update(eventId).digest().subarray(0, 6).toString('base64url');
}

/** A payment of which nothing numbered has come yet. */
export function newSequence({ service_id, payment_id }: PaymentName, group: string): PaymentSequence {
  return {
    service_id,
    payment_id,
    revision: 0,
    next: 1,
    recent: [],
    others: [],
    early: [],
    group,
    order_number: '',
    admitted_at_ms: 0,
    sent: {},
  };
}
