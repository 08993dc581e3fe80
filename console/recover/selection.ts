import { isPing } from '../../functions/core/catalogue/ping-names.ts';
import type { RecoveryPreview } from '../../functions/core/message/recovery-preview.ts';
import type { MessageFilter } from '../app/route.ts';
import { filterIn } from '../words/filter-text.ts';

/** What is to be sent again. */
export interface Selection {
  /** ISO 8601. */
  readonly since: string;
  /** Before this instant. Empty: now. */
  readonly until: string;
  /** `failed`: all that a recovery takes by itself. */
  readonly state: 'failed' | 'exhausted' | 'cancelled' | 'succeeded' | 'all';
  /** Empty: any. */
  readonly eventType: string;
  /** Ids of payments, with blanks, commas or lines between them. Empty: any. */
  readonly payments: string;
  /** A filter as JSON. Empty: none. */
  readonly filter: string;
}

const DAY_MS = 86_400_000;

/** Whether a recovery can be as narrow as a list of messages: of what has ended, and no test ping. */
export function canRecover({ state, event_type }: MessageFilter): boolean {
  const hasEnded = state !== 'retrying' && state !== 'parked';
  return hasEnded && !(event_type !== undefined && isPing({ event_type }));
}

/**
 * What an address chooses, and the last day where it says nothing. What no recovery can be narrowed to is
 * left out.
 */
export function selectionIn(
  { since, until, state, event_type, payment_id }: MessageFilter,
  nowMs: number,
): Selection {
  return {
    since: since ?? new Date(nowMs - DAY_MS).toISOString(),
    until: until ?? '',
    state:
      state === 'exhausted' || state === 'cancelled' || state === 'succeeded' || state === 'all'
        ? state
        : 'failed',
    eventType: event_type === undefined || isPing({ event_type }) ? '' : event_type,
    payments: payment_id ?? '',
    filter: '',
  };
}

/** The same for an address, which has room for one payment and no filter. */
export function filterOf({ since, until, state, eventType, payments }: Selection): MessageFilter {
  const [payment, ...others] = paymentsIn(payments);
  return {
    ...(state === 'failed' ? {} : { state }),
    ...(eventType === '' ? {} : { event_type: eventType }),
    ...(payment === undefined || others.length > 0 ? {} : { payment_id: payment }),
    ...(since === '' ? {} : { since }),
    ...(until === '' ? {} : { until }),
  };
}

/** The body that counts it, or starts it. */
export function requestOf({ since, until, state, eventType, payments, filter }: Selection) {
  const payment_ids = paymentsIn(payments);
  return {
    since,
    until,
    ...(state === 'failed' ? {} : { states: state === 'all' ? ENDED : [state] }),
    ...(eventType === '' ? {} : { event_types: [eventType] }),
    ...(payment_ids.length === 0 ? {} : { payment_ids }),
    filter: filterIn(filter).value,
  };
}

const ENDED = ['exhausted', 'cancelled', 'succeeded'];

function paymentsIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((id) => id !== '');
}

/** Messages of an event type and a state. */
export type Kind = RecoveryPreview['found'][number];

/** What several requests have counted. */
export function added(all: readonly Kind[]): {
  readonly count: number;
  /** Most first. */
  readonly kinds: readonly Kind[];
} {
  const sum = (some: readonly Kind[]) => some.reduce((total, { count }) => total + count, 0);
  const kinds = [...Map.groupBy(all, ({ event_type, state }) => `${event_type} ${state}`).values()]
    .map((same) => ({ ...same[0]!, count: sum(same) }))
    .sort((a, b) => b.count - a.count);
  return { count: sum(all), kinds };
}
