import type { Period } from '../../../functions/core/message/statistics.ts';

/** One hour of a chart. */
export interface Hour {
  readonly since: string;
  readonly delivered: number;
  readonly failed: number;
  /** Attempts that delivered, of all that were made: 0 to 1. Null when none was made. */
  readonly rate: number | null;
}

const HOURS = 24;

/** The last day by hours, oldest first. */
export function lastDay(periods: readonly Period[]): readonly Hour[] {
  return periods.slice(-HOURS).map(({ since, delivered, failed_attempts: failed }) => ({
    since,
    delivered,
    failed,
    rate: rateOf(delivered, failed),
  }));
}

export function totals(hours: readonly Hour[]): Omit<Hour, 'since'> {
  const sum = (name: 'delivered' | 'failed') => hours.reduce((all, hour) => all + hour[name], 0);
  const [delivered, failed] = [sum('delivered'), sum('failed')];
  return { delivered, failed, rate: rateOf(delivered, failed) };
}

function rateOf(delivered: number, failed: number): number | null {
  return delivered + failed === 0 ? null : delivered / (delivered + failed);
}
