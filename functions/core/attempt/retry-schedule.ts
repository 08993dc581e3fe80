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
