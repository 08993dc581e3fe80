import { isPing } from '../../functions/core/catalogue/ping-names.ts';
import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import type { MessageFilter } from '../app/route.ts';

/** What is to be sent again. */
export interface Selection {
  /** ISO 8601. */
  readonly since: string;
  /** Before this instant. Empty: now. */
  readonly until: string;
  /** `failed`: all that a recovery takes by itself. */
  readonly state: 'failed' | 'exhausted' | 'cancelled';
  /** Empty: any. */
  readonly eventType: string;
}

const DAY_MS = 86_400_000;

/**
 * Whether a recovery can be as narrow as a list of messages: it is of no single payment, and only of
 * failures.
 */
export function canRecover({ state, event_type, payment_id }: MessageFilter): boolean {
  const isFailure = state === undefined || state === 'exhausted' || state === 'cancelled';
  return isFailure && payment_id === undefined && !(event_type !== undefined && isPing({ event_type }));
}

/**
 * What an address chooses, and the last day where it says nothing. What no recovery can be narrowed to is
 * left out.
 */
export function selectionIn({ since, until, state, event_type }: MessageFilter, nowMs: number): Selection {
  return {
    since: since ?? new Date(nowMs - DAY_MS).toISOString(),
    until: until ?? '',
    state: state === 'exhausted' || state === 'cancelled' ? state : 'failed',
    eventType: event_type === undefined || isPing({ event_type }) ? '' : event_type,
  };
}

/** The same for an address. */
export function filterOf({ since, until, state, eventType }: Selection): MessageFilter {
  return {
    ...(state === 'failed' ? {} : { state }),
    ...(eventType === '' ? {} : { event_type: eventType }),
    ...(since === '' ? {} : { since }),
    ...(until === '' ? {} : { until }),
  };
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
