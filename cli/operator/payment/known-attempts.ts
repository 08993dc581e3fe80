import type { RecordedMessage } from '../../../functions/core/message/message-history.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import type { Course } from '../../../functions/core/timeline/message-timeline.ts';

/**
 * A message with its attempts. Where the caller may not read the first one, with its answer, as much of it is
 * told as the rest of the record shows: when it began, and what came of it if it was the only one.
 */
export function courseOf({ record, laterAttempts }: RecordedMessage): Course {
  return { record, attempts: [...firstOf(record), ...laterAttempts] };
}

function firstOf(record: RecordedMessage['record']): Course['attempts'] {
  const { first_attempt, attempt_count, last_attempt_at, last_status_code, last_failure_class } = record;
  if (first_attempt !== undefined) {
    return [first_attempt];
  }
  if (attempt_count === 1 && last_attempt_at !== undefined) {
    return [
      {
        attempt: 1,
        started_at: last_attempt_at,
        ...(last_status_code === undefined ? {} : { status_code: last_status_code }),
        ...(last_failure_class === undefined ? {} : { failure_class: last_failure_class }),
      },
    ];
  }
  const { admitted_at, held_ms = 0, time_to_send_ms } = record;
  return time_to_send_ms === undefined
    ? []
    : [{ attempt: 1, started_at: instant(Date.parse(admitted_at) + held_ms + time_to_send_ms) }];
}
