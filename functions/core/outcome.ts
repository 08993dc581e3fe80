import type { Attempt, WireResult } from './attempt.ts';
import type { MessageRecord } from './history.ts';

/** States in which nothing more happens to a message of itself. */
const FINAL = new Set<MessageRecord['state']>(['succeeded', 'exhausted', 'cancelled']);

export function isFinal(record: MessageRecord): boolean {
  return FINAL.has(record.state);
}

/** What the history keeps of a try. */
export function attemptOf(
  attempt: number,
  startedAtMs: number,
  result: WireResult,
  earlierMayBeMissing: boolean,
): Attempt {
  const { status_code, failure_class, failure_reason, response_body, duration_ms } = result;
  return {
    attempt,
    started_at: new Date(startedAtMs).toISOString(),
    duration_ms: Math.round(duration_ms),
    ...(status_code === undefined ? {} : { status_code }),
    ...(failure_class === undefined ? {} : { failure_class }),
    ...(failure_reason === undefined ? {} : { failure_reason }),
    ...(response_body === undefined || response_body === '' ? {} : { response_body }),
    ...(earlierMayBeMissing ? { earlier_may_be_missing: true } : {}),
  };
}

/**
 * The record of a message after one more try. Time to send is taken at the first try and stays; the attempt itself lies in the record
 * only when it is the first.
 */
export function afterAttempt(record: Untried | MessageRecord, attempt: Attempt): MessageRecord {
  const { last_status_code: _, last_failure_class: __, state_reason: ___, ...lasting } = record;
  const startedAtMs = Date.parse(attempt.started_at);
  return {
    ...lasting,
    state: attempt.failure_class === undefined ? 'succeeded' : 'retrying',
    attempt_count: attempt.attempt,
    time_to_send_ms: record.time_to_send_ms ?? startedAtMs - Date.parse(record.admitted_at),
    last_attempt_at: attempt.started_at,
    ...(attempt.status_code === undefined ? {} : { last_status_code: attempt.status_code }),
    ...(attempt.failure_class === undefined ? {} : { last_failure_class: attempt.failure_class }),
    ...(attempt.attempt === 1 ? { first_attempt: attempt } : {}),
  };
}

type Untried = Omit<MessageRecord, 'state' | 'attempt_count'>;

/** The record of a message that has to wait, untried, and why. */
export function parked(record: Untried, reason: 'behind_earlier' | 'catching_up'): MessageRecord {
  return { ...record, state: 'parked', state_reason: reason, attempt_count: 0 };
}

/** The record of a message that ends without another try, and why. */
export function cancelled(record: Untried | MessageRecord, reason: 'deleted'): MessageRecord {
  const attempt_count = 'attempt_count' in record ? record.attempt_count : 0;
  return { ...record, state: 'cancelled', state_reason: reason, attempt_count };
}
