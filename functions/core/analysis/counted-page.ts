import { hourOf, type PeriodLength } from '../statistics/statistics.ts';
import { type CountedRow, countedRows } from './counted-row.ts';
import type { Span, StageFigures } from './ports.ts';
import { isSubscription, type Place, steps, subscriptionsOf } from './walk.ts';

/** Each is a query of up to 744 hours, half a megabyte: with all of them a page takes a second. */
const SUBSCRIPTIONS_AT_ONCE = 25;

export interface CountsWanted extends Span {
  readonly by: PeriodLength;
  /** In which days begin. */
  readonly timeZone: string;
  /** Of this service alone. */
  readonly only?: string | undefined;
}

/** What is counted for the next subscriptions; `next` behind which there may be more. */
export async function countedPage(
  reads: StageFigures,
  { since, until, by, timeZone, only }: CountsWanted,
  after: Place | undefined,
): Promise<{ readonly rows: readonly CountedRow[]; readonly next?: Place }> {
  const { places, ...next } = await steps(subscriptionsOf(reads, { only, after }), SUBSCRIPTIONS_AT_ONCE);
  const span = { since: hourOf(since), until };
  const counted = await Promise.all(
    places
      .filter(isSubscription)
      .map(async (of) => countedRows(of, await reads.hours(of.subscription_id, span), by, timeZone)),
  );
  return { rows: counted.flat(), ...next };
}
