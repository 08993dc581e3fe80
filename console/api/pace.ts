/** What we know of the readings of one thing. */
export interface Pace {
  /** What was read last. */
  readonly data: unknown;
  /** When that was first read. */
  readonly changedAtMs: number;
  /** Until the next reading, at the least. */
  readonly restMs: number;
}

/** Of a page, for all that it keeps up to date. */
export interface Allowance {
  /** This many requests may follow fast upon each other; less than 0: the next ones have to wait. */
  readonly spare: number;
  readonly atMs: number;
}

const MAX_SPARE = 60;
/** A request more may be fast after this time: 272 in an hour, besides those that first show a screen. */
const SPARE_EVERY_MS = 17_000;
/** As long as nothing happens, and whoever looks need not be told at once that nothing does. */
const SELDOM_MS = 60_000;

export const UNTOUCHED: Allowance = { spare: MAX_SPARE, atMs: 0 };

/** What is left after this many requests. */
export function spend({ spare, atMs }: Allowance, requests: number, nowMs: number): Allowance {
  return { spare: Math.min(MAX_SPARE, spare + (nowMs - atMs) / SPARE_EVERY_MS) - requests, atMs: nowMs };
}

/**
 * How long to wait before something is read again: fast while it changes, ever longer while it does not. When
 * too much has changed for too long, all things of a page share what the allowance is refilled by.
 *
 * @param things how many the page keeps up to date, what it shows twice counted twice
 */
export function nextPace(
  before: Pace | undefined,
  data: unknown,
  nowMs: number,
  { spare }: Allowance,
  things: number,
): Pace {
  const changedAtMs = before !== undefined && before.data === data ? before.changedAtMs : nowMs;
  const restMs = Math.min((nowMs - changedAtMs) / 3, SELDOM_MS);
  const shareMs = Math.max(things, -spare) * SPARE_EVERY_MS;
  return { data, changedAtMs, restMs: spare < 0 ? Math.max(restMs, shareMs) : restMs };
}
