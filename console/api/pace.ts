/** What is known of the readings of one thing. */
export interface Pace {
  /** What was read last. */
  readonly data: unknown;
  /** When that was first read. */
  readonly changedAtMs: number;
  /** So many readings may follow fast upon each other; less than 0: the next one has to wait. */
  readonly spare: number;
  readonly readAtMs: number;
  /** Until the next reading. */
  readonly waitMs: number;
}

const MAX_SPARE = 15;
/** A reading more may be fast after this time. With it, no thing is read more than 105 times in an hour. */
const SPARE_EVERY_MS = 40_000;
/** As long as nothing happens, and whoever looks need not be told at once that nothing does. */
const SELDOM_MS = 60_000;

/**
 * How long to wait before something is read again: fast while it changes, ever longer while it does not. What
 * keeps changing is read fast for a while, and then as often as the allowance is refilled.
 *
 * @param everyMs the fastest
 */
export function nextPace(before: Pace | undefined, data: unknown, everyMs: number, nowMs: number): Pace {
  const { changedAtMs, spare, readAtMs } = before ?? {
    changedAtMs: nowMs,
    spare: MAX_SPARE,
    readAtMs: nowMs,
  };
  const isNews = before?.data !== data;
  const left = Math.min(MAX_SPARE, spare + (nowMs - readAtMs) / SPARE_EVERY_MS) - 1;
  const quietMs = isNews ? 0 : nowMs - changedAtMs;
  const waitMs = Math.max(everyMs, Math.min(quietMs / 3, SELDOM_MS));
  return {
    data,
    changedAtMs: isNews ? nowMs : changedAtMs,
    spare: left,
    readAtMs: nowMs,
    waitMs: left >= 0 ? waitMs : Math.max(waitMs, SPARE_EVERY_MS),
  };
}
