import * as z from 'zod';
import { attemptSchema } from '../attempt/attempt.ts';
import { PARKED_REASONS } from '../message/message.ts';
import { messageViewSchema } from '../message/message-view.ts';
import { circuitViewSchema, subscriptionViewSchema } from '../subscription/subscription-view.ts';
import { describeMembers } from '../text/describe-members.ts';

/** A new one for each member with a description of its own. */
const aMoment = () => z.iso.datetime({ precision: 3 });
const moment = aMoment();
const message = messageViewSchema.shape;
const attempt = attemptSchema.shape;
const subscription = subscriptionViewSchema.shape;

/** Of a message besides its first: its whole schedule, and some probes. */
export const MAX_LATER_ATTEMPTS = 20;

/** In the order in which they happen, also of what happens in the same millisecond. */
export const ENTRY_KINDS = ['occurred', 'arrived', 'admitted', 'held', 'attempted', 'ended'] as const;

const happenedSchema = z.object({
  at: moment,
  kind: z.enum(ENTRY_KINDS),
  until: moment.optional(),
});

/* @__PURE__ */ describeMembers(happenedSchema, {
  at: 'When it happened or began.',
  kind: '`occurred`: the event happened, as its publisher says. `arrived`: it came before its turn in the sequence. `admitted`: it was taken in, or its turn came. `held`: the message had to wait before its first attempt. `attempted`: a webhook was sent. `ended`: the message came into its final state.',
  until: 'Of `arrived` and `held`: when that waiting ended; absent while it waits. It waits for `waits_for`.',
});

/** One thing that happened to a message. */
const entrySchema = z.object({
  ...happenedSchema.shape,
  attempt: z.optional(attempt.attempt),
  duration_ms: z.optional(attempt.duration_ms),
  status_code: attempt.status_code,
  failure_class: attempt.failure_class,
  failure_reason: attempt.failure_reason,
  probe: attempt.probe,
  late: attempt.late,
  earlier_may_be_missing: attempt.earlier_may_be_missing,
});
export type TimelineEntry = z.infer<typeof entrySchema>;

/** What has to happen before the next attempt of a message. */
const WAIT_REASONS = ['next_attempt', ...PARKED_REASONS] as const;

const waitsForSchema = z.object({
  reason: z.enum(WAIT_REASONS),
  since: moment.optional(),
  until: moment.optional(),
  message_id: z.string().optional(),
});
export type WaitsFor = z.infer<typeof waitsForSchema>;

/* @__PURE__ */ describeMembers(waitsForSchema, {
  reason: '`next_attempt`: the delay after a failed attempt. Otherwise the `state_reason`.',
  since: 'Since when it waits, if that is known.',
  until:
    'What is next is due then: the next attempt; with `circuit_open` the next probe of the endpoint, by any message; with `behind_earlier` what is next for the message before it. Absent if no time is set.',
  message_id: 'With `behind_earlier`: the first message that waits, if it is on this page.',
});

const courseSchema = z.object({
  late: z.boolean().optional(),
  attempts_left_out: z.int().optional(),
  waits_for: waitsForSchema.optional(),
  entries: z.array(entrySchema),
});

/* @__PURE__ */ describeMembers(courseSchema, {
  late: 'Later messages of its payment may have come before it: it had ended and was asked for again, or the publisher’s event came after others that follow it in the sequence.',
  attempts_left_out:
    'This many attempts on record, after the first, are not among the entries. Absent: none.',
  waits_for: 'What is next, and when. Absent once it has ended.',
  entries: `In order of time. Attempts: the first, and the last ${MAX_LATER_ATTEMPTS} of those after it.`,
});

const messageTimelineSchema = z.object({
  message_id: message.message_id,
  event_id: message.event_id,
  subscription_id: message.subscription_id,
  event_type: message.event_type,
  resource_type: message.resource_type,
  resource_id: message.resource_id,
  live: message.live,
  sequence: message.sequence,
  position: message.position,
  previous_message_id: message.previous_message_id,
  gap_before: message.gap_before,
  expires_at: message.expires_at,
  state: message.state,
  state_reason: message.state_reason,
  late: courseSchema.shape.late,
  attempt_count: message.attempt_count,
  attempts_left_out: courseSchema.shape.attempts_left_out,
  waits_for: courseSchema.shape.waits_for,
  entries: courseSchema.shape.entries,
});
export type MessageTimeline = z.infer<typeof messageTimelineSchema>;

const early = z.object({ sequence: z.int(), since: aMoment(), waits_until: aMoment() });
const sent = z.object({ position: z.int(), message_id: z.string() });

const sequenceTimelineSchema = z.object({
  next: z.int(),
  next_awaited_until: moment.optional(),
  early: z.array(
    z.object({
      sequence: early.shape.sequence,
      event_id: message.event_id,
      since: early.shape.since,
      waits_until: early.shape.waits_until,
    }),
  ),
  missing: z.array(z.int()),
  sent: z.array(z.object({ subscription_id: message.subscription_id, ...sent.shape })),
});
export type SequenceTimeline = z.infer<typeof sequenceTimelineSchema>;

/* @__PURE__ */ describeMembers(early, {
  sequence: 'The publisher’s number of the event.',
  since: 'When it came: since then it waits.',
  waits_until: 'Until when it waits at most; then it is sent with `gap_before`.',
});

/* @__PURE__ */ describeMembers(sent, {
  position: 'How many messages of this payment it was sent.',
  message_id: 'The last of them. If it is not on record yet, it is on its way to its first attempt.',
});

/* @__PURE__ */ describeMembers(sequenceTimelineSchema, {
  next: 'The number sent next. All before it were sent or given up.',
  next_awaited_until: 'Until when `next` is waited for at most. Absent while nothing waits for it.',
  early: 'Events that wait for those before them, by number. They have no messages yet. At most 100.',
  missing: 'Numbers that have not come and are not waited for any more: of the last 100 before `next`.',
  sent: 'How far each subscription is.',
});

const concernedSchema = z.object({
  subscription_id: subscription.subscription_id,
  description: subscription.description,
  state: subscription.state,
  circuit: circuitViewSchema,
});

/** What became of a payment, as its partner sees it. */
export const paymentTimelineSchema = z.object({
  payment_id: z.string(),
  sequence: sequenceTimelineSchema.optional(),
  subscriptions: z.array(concernedSchema),
  messages: z.array(messageTimelineSchema),
  next_cursor: z.string().optional(),
});
export type PaymentTimeline = z.infer<typeof paymentTimelineSchema>;

/* @__PURE__ */ describeMembers(paymentTimelineSchema, {
  payment_id: 'The payment.',
  sequence: 'How far its events are that have numbers. Absent if none has.',
  subscriptions: 'Those that the rest names, as they are now. Deleted ones are left out.',
  messages: 'Newest first, as in lists.',
  next_cursor: 'The `cursor` of the next page. Absent on the last page.',
});
