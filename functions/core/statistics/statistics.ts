import { instant } from '../text/instant.ts';
import { mergedTimes, NO_TIMES, percentileOf, type TimeHistogram } from './time-histogram.ts';

/** What is counted for a subscription. */
export const FIGURES = ['delivered', 'failed_attempts', 'exhausted', 'cancelled'] as const;
export type Figures = Readonly<Record<(typeof FIGURES)[number], number>>;

export const NOTHING: Figures = { delivered: 0, failed_attempts: 0, exhausted: 0, cancelled: 0 };

export function sum(one: Figures, other: Figures): Figures {
  return {
    delivered: one.delivered + other.delivered,
    failed_attempts: one.failed_attempts + other.failed_attempts,
    exhausted: one.exhausted + other.exhausted,
    cancelled: one.cancelled + other.cancelled,
  };
}

/** What is stored of an hour that began then, in UTC. */
export type Hour = { readonly since: string; readonly times: TimeHistogram } & Figures;

/** What is told of an hour or a day that began then, in UTC. */
export type Period = {
  readonly since: string;
  /** Absent where nothing was attempted for the first time. */
  readonly time_to_send_p50_ms?: number;
  readonly time_to_send_p95_ms?: number;
} & Figures;

const HOUR_MS = 3_600_000;
const LENGTHS_MS = { hour: HOUR_MS, day: 24 * HOUR_MS } as const;
export type PeriodLength = keyof typeof LENGTHS_MS;

/** How many periods of each length are shown, including the current one. */
export const PERIODS_SHOWN = { hour: 48, day: 30 } as const;

/** The start of the hour in which something happened, in UTC. */
export function hourOf(at: string): string {
  return instant(beginningOf(Date.parse(at), 'hour'));
}

/** The start of the first period that is shown now. */
export function shownSince(length: PeriodLength, nowMs: number): string {
  return instant(beginningOf(nowMs, length) - (PERIODS_SHOWN[length] - 1) * LENGTHS_MS[length]);
}

/** The periods that are shown now, oldest first, including empty ones. `hours`: those that have counts. */
export function periodsOf(hours: readonly Hour[], length: PeriodLength, nowMs: number): Period[] {
  const counted = Map.groupBy(hours, ({ since }) => beginningOf(Date.parse(since), length));
  const firstMs = Date.parse(shownSince(length, nowMs));
  return Array.from({ length: PERIODS_SHOWN[length] }, (_, index) => {
    const sinceMs = firstMs + index * LENGTHS_MS[length];
    const within = counted.get(sinceMs) ?? [];
    const times = within.reduce((all, hour) => mergedTimes(all, hour.times), NO_TIMES);
    const [p50, p95] = [percentileOf(times, 0.5), percentileOf(times, 0.95)];
    return {
      since: instant(sinceMs),
      ...within.reduce<Figures>(sum, NOTHING),
      ...(p50 === undefined || p95 === undefined
        ? {}
        : { time_to_send_p50_ms: p50, time_to_send_p95_ms: p95 }),
    };
  });
}

function beginningOf(ms: number, length: PeriodLength): number {
  return ms - (ms % LENGTHS_MS[length]);
}
