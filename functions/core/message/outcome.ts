import * as z from 'zod/mini';
import type { Attempt, AttemptResult } from '../attempt/attempt.ts';
import { instant } from '../text/instant.ts';
import type { Decision } from './decision.ts';
import type { MessageRecord } from './history.ts';
import { BODY_FORMAT, type Message, numberingShape, orderingKey, type ParkedReason } from './message.ts';

/** The record of a message before its first decision. */
export type NewRecord = Omit<MessageRecord, 'state' | 'attempt_count'>;

const numberingSchema = z.object(numberingShape);

/** The record of a message that has just come. */
export function recordOf(message: Message): NewRecord {
  return {
    message_id: message.message_id,
    event_id: message.event_id,
    service_id: message.service_id,
    subscription_id: message.subscription_id,
    payment_id: message.payment_id,
    ordering_key: orderingKey(message),
    order_number: message.order_number,
    event_type: message.event_type,
    resource_type: message.resource_type,
    resource_id: message.resource_id,
    live: message.live,
    occurred_at: message.occurred_at,
    ...(message.expires_at === undefined ? {} : { expires_at: message.expires_at }),
    admitted_at: instant(message.admitted_at_ms),
    ...(message.arrived_at_ms === undefined ? {} : { arrived_at: instant(message.arrived_at_ms) }),
    ...numberingSchema.parse(message),
    ...(message.schema_error === undefined ? {} : { schema_error: message.schema_error }),
    ...(message.fields === undefined ? {} : { fields: message.fields }),
    body_format: BODY_FORMAT,
    ...(message.resource === undefined ? {} : { resource: message.resource }),
  };
}

/** States in which a message has ended: nothing more happens unless it is asked for again. */
const FINAL = new Set<MessageRecord['state']>(['succeeded', 'exhausted', 'cancelled']);

export function isFinal({ state }: { readonly state: MessageRecord['state'] }): boolean {
  return FINAL.has(state);
}

/** What the history keeps of an attempt. */
export function attemptOf(
  attempt: number,
  startedAtMs: number,
  result: AttemptResult,
  marks: Pick<Attempt, 'earlier_may_be_missing' | 'late' | 'probe'>,
): Attempt {
  const { status_code, failure_class, failure_reason, response_body, duration_ms } = result;
  return {
    attempt,
    started_at: instant(startedAtMs),
    duration_ms: Math.round(duration_ms),
    ...(status_code === undefined ? {} : { status_code }),
    ...(failure_class === undefined ? {} : { failure_class }),
    ...(failure_reason === undefined ? {} : { failure_reason }),
    ...(response_body === undefined || response_body === '' ? {} : { response_body }),
    ...marks,
  };
}

/**
 * The record of a message after one more attempt. Time to send is taken at the first attempt, and stays. The
 * attempt itself is part of the record only if it is the first.
 */
export function afterAttempt(
  record: NewRecord | MessageRecord,
  attempt: Attempt,
  decision: Decision,
  nowMs: number,
): MessageRecord {
  const { last_status_code: _, last_failure_class: __, earlier_may_be_missing: ___, ...lasting } = record;
  return concludedRecord(
    {
      ...lasting,
      attempt_count: attempt.attempt,
      ...(record.time_to_send_ms === undefined && !record.late
        ? timesOf(record, Date.parse(attempt.started_at))
        : {}),
      last_attempt_at: attempt.started_at,
      ...(attempt.status_code === undefined ? {} : { last_status_code: attempt.status_code }),
      ...(attempt.failure_class === undefined ? {} : { last_failure_class: attempt.failure_class }),
      ...(attempt.attempt === 1 ? { first_attempt: attempt } : {}),
    },
    decision,
    nowMs,
  );
}

/** The record of a message that ends, or waits, without another attempt. */
export function concludedRecord(
  record: NewRecord | MessageRecord,
  decision: Decision,
  nowMs: number,
): MessageRecord {
  const { state_reason: _, next_attempt_at: __, ended_at: ___, ...lasting } = record;
  const attempt_count = 'attempt_count' in record ? record.attempt_count : 0;
  const isUntried = attempt_count === 0;
  return {
    ...lasting,
    attempt_count,
    state: decision.state,
    ...('reason' in decision ? { state_reason: decision.reason } : {}),
    ...(decision.state === 'retrying' ? { next_attempt_at: instant(decision.nextAttemptAtMs) } : {}),
    ...(decision.state === 'parked' && isUntried ? { parked_at: record.parked_at ?? instant(nowMs) } : {}),
    ...(isFinal(decision) ? { ended_at: instant(nowMs) } : {}),
  };
}

/** The record of a message that had ended and is asked for again, by a recovery or alone. */
export function askedAgain(
  { recovery_id: _, ...record }: MessageRecord,
  reason: ParkedReason,
  recovery_id: string | undefined,
  nowMs: number,
): MessageRecord {
  const by = recovery_id === undefined ? {} : { recovery_id };
  return concludedRecord({ ...record, late: true, ...by }, { state: 'parked', reason }, nowMs);
}

/** The record of a message that a worker received, and may have attempted: the next attempt says so. */
export function inDoubt<R extends NewRecord>(record: R): R {
  return { ...record, earlier_may_be_missing: true };
}

function timesOf({ admitted_at, parked_at }: NewRecord, startedAtMs: number) {
  const held_ms = parked_at === undefined ? undefined : startedAtMs - Date.parse(parked_at);
  const time_to_send_ms = startedAtMs - Date.parse(admitted_at) - (held_ms ?? 0);
  return { time_to_send_ms, ...(held_ms === undefined ? {} : { held_ms }) };
}
