import {
  type Distributions,
  type Figures,
  type Hour,
  NO_DISTRIBUTIONS,
  NOTHING,
  type PeriodLength,
  sum,
  together,
} from '../statistics/statistics.ts';
import {
  bucketEndMs,
  bucketOf,
  mergedTimes,
  NO_TIMES,
  type TimeHistogram,
} from '../statistics/time-histogram.ts';

/** What happened to the messages of a subscription in an hour or a day. */
export interface CountedRow extends Figures, Pick<Distributions, 'failures' | 'acknowledged'> {
  readonly service_id: string;
  readonly subscription_id: string;
  /** When the hour began, in UTC; of a day its date in the time zone that was asked for: `2026-11-14`. */
  readonly since: string;
}

/** A row as the API shows it: what has names of its own there is a list here. */
export interface CountedRowView extends Omit<CountedRow, 'failures' | 'acknowledged'> {
  readonly failures: readonly { readonly reason: string; readonly count: number }[];
  readonly acknowledged: readonly { readonly up_to_ms: number; readonly count: number }[];
}

/**
 * The rows of a subscription, in order; hours and days without counts have none.
 *
 * @param timeZone in which days begin, as IANA names it: `Europe/London`. An hour that a day begins in the
 * middle of belongs to the day before
 */
export function countedRows(
  of: Pick<CountedRow, 'service_id' | 'subscription_id'>,
  hours: readonly Hour[],
  length: PeriodLength,
  timeZone: string,
): CountedRow[] {
  const dateOf = length === 'day' ? dateIn(timeZone) : (since: string) => since;
  const periods = Map.groupBy(hours, ({ since }) => dateOf(since));
  return [...periods].map(([since, within]) => {
    const { failures, acknowledged } = within.reduce<Distributions>(together, NO_DISTRIBUTIONS);
    return { ...of, since, ...within.reduce<Figures>(sum, NOTHING), failures, acknowledged };
  });
}

/** The date of an instant in a time zone. */
export function dateIn(timeZone: string): (at: string) => string {
  // Sweden writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  return (at) => format.format(Date.parse(at));
}

export function isTimeZone(name: string): boolean {
  try {
    dateIn(name);
    return true;
  } catch {
    return false;
  }
}

export function countedRowView({ failures, acknowledged, ...row }: CountedRow): CountedRowView {
  return {
    ...row,
    failures: Object.entries(failures).map(([reason, counted]) => ({ reason, count: counted })),
    acknowledged: Object.entries(acknowledged).map(([bucket, counted]) => ({
      up_to_ms: bucketEndMs(Number(bucket)),
      count: counted,
    })),
  };
}

export function countedRowIn({ failures, acknowledged, ...row }: CountedRowView): CountedRow {
  return {
    ...row,
    failures: Object.fromEntries(failures.map(({ reason, count: counted }) => [reason, counted])),
    // Buckets of the first milliseconds end at the same one.
    acknowledged: acknowledged.reduce<TimeHistogram>(
      (times, { up_to_ms, count: counted }) => mergedTimes(times, { [bucketOf(up_to_ms)]: counted }),
      NO_TIMES,
    ),
  };
}
