/**
 * How many times fell into each of the fixed buckets, by the number of the bucket. Bucket 0 holds up to 1 ms;
 * each bucket ends 2^(1/4) times later than the one before it, so that four of them double.
 */
export type TimeHistogram = Readonly<Record<number, number>>;

const PER_DOUBLING = 4;

/** Ends after 2^22 ms, 70 minutes. What took longer is in it too. */
export const LAST_BUCKET = 22 * PER_DOUBLING;

export const NO_TIMES: TimeHistogram = {};

/**
 * The bucket of a time. Clocks of two machines differ: what seems to have taken less than nothing took none.
 */
export function bucketOf(ms: number): number {
  return ms <= 1 ? 0 : Math.min(LAST_BUCKET, Math.ceil(PER_DOUBLING * Math.log2(ms)));
}

/** When a bucket ends, in whole milliseconds. */
export function bucketEndMs(bucket: number): number {
  return Math.floor(2 ** (bucket / PER_DOUBLING));
}

export function histogramOf(ms: number): TimeHistogram {
  return { [bucketOf(ms)]: 1 };
}

export function mergedTimes(one: TimeHistogram, other: TimeHistogram): TimeHistogram {
  return allTimes([one, other]);
}

export function allTimes(histograms: readonly TimeHistogram[]): TimeHistogram {
  const merged: Record<number, number> = {};
  for (const times of histograms) {
    for (const [bucket, count] of Object.entries(times)) {
      merged[Number(bucket)] = (merged[Number(bucket)] ?? 0) + count;
    }
  }
  return merged;
}

/**
 * The time that this share of the times did not exceed, in whole milliseconds; undefined of none. The end of
 * its bucket: never below the true one, and at most 19 % above it. Nearest rank.
 *
 * @param part 0 to 1
 */
export function percentileOf(times: TimeHistogram, part: number): number | undefined {
  const buckets = Object.entries(times).sort(([a], [b]) => Number(a) - Number(b));
  const rank = Math.ceil(part * buckets.reduce((all, [, count]) => all + count, 0));
  let passed = 0;
  for (const [bucket, count] of buckets) {
    passed += count;
    if (count > 0 && passed >= rank) {
      return bucketEndMs(Number(bucket));
    }
  }
  return undefined;
}
