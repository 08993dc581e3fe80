import * as z from 'zod/mini';
import { type Attempt, attemptSchema } from './attempt.ts';
import { type MessageRecord, messageRecordSchema } from './history.ts';
import { webhookBody } from './message.ts';

/** What a partner sees of a message in a list; all of it is in the indexes of the history. */
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

/** What a partner sees besides when it looks at one message: not in the indexes. */
const detailSchema = z.pick(messageRecordSchema, { parked_at: true, expires_at: true });

/** A message as a partner sees it by itself. `body` is the text as sent; absent when it is not on record any more, which is for good when `body_erased_at` says since when. */
export const messageViewSchema = z.extend(messageSummarySchema, {
  ...detailSchema.shape,
  body: z.optional(z.string()),
  attempts: z.array(attemptSchema),
});
export type MessageView = z.infer<typeof messageViewSchema>;

/** `resource` is the JSON text of a resource that was too large to lie in the record; empty when it was erased. */
export function messageView(
  record: MessageRecord,
  laterAttempts: readonly Attempt[],
  resource: string | undefined,
): MessageView {
  const isThere = resource !== undefined && resource !== '' && record.body_erased_at === undefined;
  const body = record.body ?? (isThere ? webhookBody(record, resource) : undefined);
  return {
    ...messageSummarySchema.parse(record),
    ...detailSchema.parse(record),
    ...(body === undefined ? {} : { body }),
    attempts: [...(record.first_attempt === undefined ? [] : [record.first_attempt]), ...laterAttempts],
  };
}
