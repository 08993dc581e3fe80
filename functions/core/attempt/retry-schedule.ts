import type { AttemptResult } from './attempt.ts';
import type { DeliveryPolicy } from './delivery-policy.ts';

interface Failure {
  /** Failed attempts that count, this one included: 1 after the first. */
  readonly failedAttempts: number;
  readonly schedule: readonly number[];
  /** What the receiver asked for, in ms. */
  readonly retryAfterMs?: number | undefined;
  /** A random number from 0 to 1. */
  readonly draw: number;
}

/**
 * How long to wait before the next attempt, in ms: the delay of the schedule with its jitter, lengthened to
 * what the receiver asks for, up to twice as long. Undefined when the schedule is used up.
 */
export function retryDelayMs(
  { failedAttempts, schedule, retryAfterMs = 0, draw }: Failure,
  { jitter, longestRetryAfter }: Pick<DeliveryPolicy, 'jitter' | 'longestRetryAfter'>,
): number | undefined {
  const scheduled = schedule[failedAttempts - 1];
  if (scheduled === undefined) {
    return undefined;
  }
  const jittered = scheduled * (1 + jitter * (2 * draw - 1));
  return Math.round(Math.min(Math.max(jittered, retryAfterMs), longestRetryAfter * jittered));
}

/** Statuses that may come with `Retry-After`. */
const MAY_SAY_WHEN = new Set([429, 502, 503, 504]);

/**
 * How long the receiver asks us to wait: seconds, or a date; anything else is ignored. Source: RFC 9110,
 * section 10.2.3.
 */
export function retryAfterMs(
  { status_code, response_headers }: AttemptResult,
  nowMs: number,
): number | undefined {
  const value = response_headers?.['retry-after'];
  if (value === undefined || !MAY_SAY_WHEN.has(status_code ?? 0)) {
    return undefined;
  }
  if (/^\s*\d{1,9}\s*$/.test(value)) {
    return Number(value) * 1_000;
  }
  const untilMs = /GMT\s*$/.test(value) ? Date.parse(value) - nowMs : Number.NaN;
  return untilMs >= 0 ? untilMs : undefined;
}

/** The first delay of a message that was refused as overload; it doubles with each attempt. */
const FIRST_DELAY_MS = 1_000;

/**
 * How long such a message waits before its next turn, in ms: what the endpoint asks for, up to the longest
 * cool-down, or a longer delay, which doubles with each attempt up to `longestOverloadMs`. It uses up nothing
 * of its schedule.
 *
 * @param attempt 1 for the first
 */
export function overloadDelayMs(
  attempt: number,
  retryAfterMs: number | undefined,
  { longestOverloadMs, circuit }: Pick<DeliveryPolicy, 'longestOverloadMs' | 'circuit'>,
): number {
  const doubled = FIRST_DELAY_MS * 2 ** Math.min(attempt - 1, 30);
  return Math.max(
    Math.min(doubled, longestOverloadMs),
    Math.min(retryAfterMs ?? 0, circuit.longestCoolDownMs),
  );
}
