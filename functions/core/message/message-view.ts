import * as z from 'zod/mini';
import { type Attempt, attemptSchema } from '../attempt/attempt.ts';
import { describeMembers } from '../text/describe-members.ts';
import { type MessageRecord, messageRecordSchema } from './history.ts';
import { webhookBody } from './message.ts';

/** What a partner sees of a message in a list: all of it is in the indexes of the history. */
export const messageSummarySchema = z.pick(messageRecordSchema, {
  message_id: true,
  event_id: true,
  subscription_id: true,
  payment_id: true,
  event_type: true,
  resource_type: true,
  resource_id: true,
  live: true,
  occurred_at: true,
  admitted_at: true,
  state: true,
  state_reason: true,
  late: true,
  attempt_count: true,
  held_ms: true,
  time_to_send_ms: true,
  next_attempt_at: true,
  ended_at: true,
  last_attempt_at: true,
  last_status_code: true,
  last_failure_class: true,
  body_erased_at: true,
});
export type MessageSummary = z.infer<typeof messageSummarySchema>;

/** What a partner sees of a single message besides: it is not in the indexes. */
const detailSchema = z.pick(messageRecordSchema, {
  parked_at: true,
  expires_at: true,
  arrived_at: true,
  sequence: true,
  position: true,
  previous_message_id: true,
  gap_before: true,
  schema_error: true,
  fields: true,
  earlier_may_be_missing: true,
});

/**
 * A single message as a partner sees it. `body` is the text as sent; absent when it is not on record any
 * more: for good, if `body_erased_at` is set.
 */
export const messageViewSchema = z.extend(messageSummarySchema, {
  ...detailSchema.shape,
  body: z.optional(z.string()),
  attempts: z.array(attemptSchema),
});
export type MessageView = z.infer<typeof messageViewSchema>;

/* @__PURE__ */ describeMembers(messageViewSchema, {
  message_id: 'The `webhook-id`: the same on every attempt.',
  event_id: 'Chosen by whoever published the event.',
  subscription_id: 'Whose callback URL it goes to.',
  payment_id:
    'Messages of a payment are sent in the order of its events. A test ping has a name of its own here.',
  event_type: 'As in the webhook.',
  resource_type: 'What the resource is; of a test ping `ping`, of a sample `sample`.',
  resource_id: 'The id of the resource.',
  live: 'Whether it is about real money.',
  occurred_at: 'When the event happened, as its publisher says.',
  admitted_at: 'When the event was taken in; `time_to_send_ms` counts from here.',
  state:
    '`retrying`: an attempt failed, and another will be made. `parked`: it waits, see `state_reason`. The others are final: `succeeded`, `exhausted` (given up), `cancelled` (not wanted any more).',
  state_reason:
    'What a parked message waits for: `behind_earlier` (an earlier message of its payment), `circuit_open` (the endpoint fails), `catching_up` (what has waited is being sent, a few payments at a time), `rate_limited` (with a `rate_limit` every message waits for its turn, up to a second), `paused`, `disabled`, `unproven` (its endpoint has yet to answer a challenge), `fault` (on our side). Why an exhausted one was given up: its `schedule` (no retries are left; a test ping has none), its `age`, or `aborted_by_receiver`. Why a cancelled one is not wanted any more: its subscription was `deleted`, or had been `disabled` for 76 hours when it came; it had `expired`; an operator `skipped` it; you asked for it (`cancelled_by_partner`); or its endpoint needed no such challenge any more (`superseded`).',
  late: 'Later messages of its payment may have come before it: it had ended and was asked for again, or its event came after later ones of the publisher’s sequence (lists do not show that).',
  attempt_count: 'Attempts on record; 0: none has been made yet.',
  held_ms:
    'How long it was held before its first attempt: behind an earlier message, by the endpoint’s failures, a pause or a rate limit. Absent when it was not.',
  time_to_send_ms:
    'From `admitted_at` to the start of the first attempt, without `held_ms`: time to send and the wait while an earlier message of its payment was being attempted. Absent while there was none.',
  next_attempt_at: 'When it is tried again, at the earliest.',
  ended_at: 'When it came into its final state.',
  last_attempt_at: 'When the last attempt began.',
  last_status_code: 'What the last attempt was answered; absent when no answer came.',
  last_failure_class:
    'Why the last attempt failed; absent when it did not. `http_status`: an answer came, and it was not 2xx.',
  body_erased_at: 'When the body and the answers were erased for good: the message cannot be sent again.',
  parked_at: 'Since when it has waited for its first attempt.',
  expires_at: 'After this it is not sent any more.',
  arrived_at:
    'When the event came, if it was early: from then to `admitted_at` it waited for its turn in the sequence.',
  sequence: 'As in the webhook: the publisher’s number of the event. Absent if the event has none.',
  position: 'As in the webhook: the position among the messages of this payment and subscription.',
  previous_message_id: 'As in the webhook: the message before it. Absent for the first.',
  gap_before: 'As in the webhook: the event before it in the sequence had not come in time.',
  schema_error:
    'Where its `resource` does not fit the JSON Schema of its event type, and the keyword that says so: `/total: type`. It was sent as it is. Absent if it fits, or was not checked.',
  fields:
    'Its subscription wanted only these members of `resource`, by JSON Pointers; the others were left out when the message was made. Absent: it has all.',
  earlier_may_be_missing:
    'Since the last attempt on record, another may have been made that is not: its worker died. Once there is a further attempt, that says so instead.',
  body: 'As sent, the very text that was signed. Absent when it is not on record any more.',
  attempts: 'All that are on record, in the order in which they were made.',
});

/* @__PURE__ */ describeMembers(attemptSchema, {
  attempt: '1 for the first try: the header `webhook-attempt`.',
  started_at: 'When it began.',
  duration_ms: 'From looking up the host to the last byte that was read.',
  status_code: 'Absent when no answer came.',
  failure_class: 'Absent when it was delivered. `http_status`: an answer came, and it was not 2xx.',
  failure_reason: 'What happened, in a sentence.',
  response_body: 'At most the first 4 KB of what was answered.',
  probe: 'Made to see whether the endpoint was back: it used up nothing of the schedule.',
  late: 'Made after the message had ended and was asked for again.',
  earlier_may_be_missing:
    'Between this one and the one before, another may have been made that is not on record.',
});

/** @param resource the JSON text of its resource, from the record or stored apart; empty when it was erased */
export function messageView(
  record: MessageRecord,
  laterAttempts: readonly Attempt[],
  resource: string | undefined,
): MessageView {
  const isThere = resource !== undefined && resource !== '' && record.body_erased_at === undefined;
  const body = isThere ? webhookBody(record, resource) : undefined;
  return {
    ...messageSummarySchema.parse(record),
    ...detailSchema.parse(record),
    ...(record.came_late ? { late: true } : {}),
    ...(body === undefined ? {} : { body }),
    attempts: [...(record.first_attempt === undefined ? [] : [record.first_attempt]), ...laterAttempts],
  };
}
