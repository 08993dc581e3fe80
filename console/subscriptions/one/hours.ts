import type { Period } from '../../../functions/core/statistics/statistics.ts';

/** One hour or day of a chart. */
export interface Hour {
  readonly since: string;
  readonly delivered: number;
  readonly failed: number;
  /** Attempts that delivered, of all that were made: 0 to 1. Null when none was made. */
  readonly rate: number | null;
  /** Of the time to send, in ms. Null when nothing was sent for the first time. */
  readonly p95: number | null;
  /** Of the time to acknowledge, in ms. Null when nothing was acknowledged. */
  readonly acknowledged: number | null;
}

/** What is counted of a period. */
export type Counted = Pick<Period, 'since' | 'delivered' | 'failed_attempts'> & {
  readonly [name in 'time_to_send_p95_ms' | 'time_to_acknowledge_p95_ms']?: number | undefined;
};

/** What a chart can show: of which periods of the API, and how many of them; of an hour, of parts of it. */
export const RANGES = {
  hour: { by: 'part', periods: 12 },
  day: { by: 'hour', periods: 24 },
  week: { by: 'day', periods: 7 },
  month: { by: 'day', periods: 28 },
} as const;
export type Range = keyof typeof RANGES;
export type Length = (typeof RANGES)[Range]['by'];

/** The latest periods of the API, oldest first. */
export function latest(periods: readonly Counted[], range: Range = 'day'): readonly Hour[] {
  return periods
    .slice(-RANGES[range].periods)
    .map(({ since, delivered, failed_attempts: failed, ...times }) => ({
      since,
      delivered,
      failed,
      rate: rateOf(delivered, failed),
      p95: times.time_to_send_p95_ms ?? null,
      acknowledged: times.time_to_acknowledge_p95_ms ?? null,
    }));
}

/** Times are those of the worst hour: that of the day is no sum of them. */
export function totals(hours: readonly Hour[]): Omit<Hour, 'since'> {
  const sum = (name: 'delivered' | 'failed') => hours.reduce((all, hour) => all + hour[name], 0);
  const [delivered, failed] = [sum('delivered'), sum('failed')];
  const worst = (name: 'p95' | 'acknowledged') => {
    const times = hours.flatMap((hour) => hour[name] ?? []);
    return times.length === 0 ? null : Math.max(...times);
  };
  return {
    ...{ delivered, failed, rate: rateOf(delivered, failed) },
    ...{ p95: worst('p95'), acknowledged: worst('acknowledged') },
  };
}

function rateOf(delivered: number, failed: number): number | null {
  return delivered + failed === 0 ? null : delivered / (delivered + failed);
}
