import * as z from 'zod/mini';
import {
  bucketEndMs,
  bucketOf,
  mergedTimes,
  NO_TIMES,
  type TimeHistogram,
} from '../statistics/time-histogram.ts';
import type { CountedRow } from './counted-row.ts';

const count = z.int().check(z.minimum(0));

/** A row as the API shows it: what has names of its own there is a list here. */
export const countedRowViewSchema = z.object({
  service_id: z.string(),
  subscription_id: z.string(),
  since: z.string(),
  delivered: count,
  acknowledged_within_60_s: count,
  failed_attempts: count,
  exhausted: count,
  cancelled: count,
  failures: z.array(z.object({ reason: z.string(), count })),
  acknowledged: z.array(z.object({ up_to_ms: count, count })),
});
export type CountedRowView = z.infer<typeof countedRowViewSchema>;

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
