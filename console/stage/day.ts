import { type CountedRowView, countedRowIn } from '../../functions/core/analysis/counted-row.ts';
import { allTimes, percentileOf } from '../../functions/core/statistics/time-histogram.ts';

/** What ended as `exhausted` or `cancelled`, or attempts that failed for a reason, in each hour. */
export interface Line {
  readonly name: string;
  readonly hours: readonly number[];
}

export interface StageDay {
  /** When each hour begins, in order. */
  readonly hours: readonly string[];
  /** What ended comes first, then reasons, the most frequent first. */
  readonly lines: readonly Line[];
  /** Event to acknowledgement in this hour and the one before, by subscription. */
  readonly p95Ms: Readonly<Record<string, number | undefined>>;
}

/** What went wrong in a day of the whole stage. */
export function dayOf(rows: readonly CountedRowView[], hours: readonly string[]): StageDay {
  const nothing = hours.map(() => 0);
  const counts = new Map<string, readonly number[]>();
  const add = (name: string, since: string, count: number) => {
    const known = counts.get(name) ?? nothing;
    counts.set(
      name,
      known.map((value, index) => (hours[index] === since ? value + count : value)),
    );
  };
  for (const name of ['exhausted', 'cancelled'] as const) {
    counts.set(name, nothing);
    for (const row of rows) add(name, row.since, row[name]);
  }
  for (const { since, failures } of rows) {
    for (const { reason, count } of failures) add(reason, since, count);
  }
  const [exhausted, cancelled, ...reasons] = [...counts].map(([name, of]) => ({ name, hours: of }));
  const lately = rows.filter(({ since }) => hours.slice(-2).includes(since));
  const p95Ms = [...Map.groupBy(lately, ({ subscription_id }) => subscription_id)].map(([id, those]) => [
    id,
    percentileOf(allTimes(those.map((row) => countedRowIn(row).acknowledged)), 0.95),
  ]);
  return {
    hours,
    lines: [
      ...[exhausted, cancelled].flatMap((line) => line ?? []),
      ...reasons.sort((one, other) => totalOf(other) - totalOf(one)),
    ],
    p95Ms: Object.fromEntries(p95Ms),
  };
}

export function totalOf({ hours }: Pick<Line, 'hours'>): number {
  return hours.reduce((all, count) => all + count, 0);
}

/** The question of Analysis whose answer lists it, by whose it is. */
export function questionOf(name: string): Readonly<Record<string, string>> {
  const of = { by: 'service,subscription', days: '1' };
  if (name === 'exhausted' || name === 'cancelled') return { question: 'volume', ...of };
  return {
    question: 'failures',
    ...of,
    ...(isStatus(name) ? { reason: 'http_status', status: name } : { reason: name }),
  };
}

/** Status codes are counted as reasons of their own. */
export function isStatus(reason: string): boolean {
  return /^\d+$/.test(reason);
}
