import { isPing } from '../../functions/core/event/event-types.ts';
import type { MessageSummary } from '../../functions/core/message/message-view.ts';

/** What is to be sent again. */
export interface Selection {
  /** ISO 8601. */
  readonly since: string;
  /** Before this instant. */
  readonly until: string;
  /** `failed`: all that a recovery takes by itself. */
  readonly state: 'failed' | 'exhausted' | 'cancelled';
  /** Empty: any. */
  readonly eventType: string;
}

/** The body that starts it. */
export function requestOf({ since, until, state, eventType }: Selection) {
  return {
    since,
    until,
    ...(state === 'failed' ? {} : { states: [state] }),
    ...(eventType === '' ? {} : { event_types: [eventType] }),
  };
}

/** The states to look for. */
export function statesOf({ state }: Selection): readonly ('exhausted' | 'cancelled')[] {
  return state === 'failed' ? ['exhausted', 'cancelled'] : [state];
}

/**
 * Whether a message is sent again, as a recovery decides it: not one that a deletion or its age has ended, no
 * test ping, and none without its body.
 */
export function isRecoverable({ state, state_reason, event_type, body_erased_at }: MessageSummary): boolean {
  if (isPing({ event_type }) || body_erased_at !== undefined) return false;
  return (
    state === 'exhausted' ||
    (state === 'cancelled' && (state_reason === 'skipped' || state_reason === 'disabled'))
  );
}

/** How many of each event type and state, most first. */
export function countsOf(messages: readonly MessageSummary[]) {
  return [...Map.groupBy(messages, ({ event_type, state }) => `${event_type} ${state}`).values()]
    .map((same) => ({ event_type: same[0]!.event_type, state: same[0]!.state, count: same.length }))
    .sort((a, b) => b.count - a.count);
}
