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

/** What happened to the messages of a subscription in an hour or a day. */
export interface CountedRow extends Figures, Pick<Distributions, 'failures' | 'acknowledged'> {
  readonly service_id: string;
  readonly subscription_id: string;
  /** When the hour began, in UTC; of a day its date in the time zone that was asked for: `2026-11-14`. */
  readonly since: string;
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
