import { askedBy } from '../attempt/answers.ts';
import type { AttemptResult } from '../attempt/attempt.ts';
import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import { overloadDelayMs, retryAfterMs, retryDelayMs } from '../attempt/retry-schedule.ts';
import type { CancelledReason, ExhaustedReason, ParkedReason } from './message.ts';

/** What we decide about a message: it has ended, it is attempted again later, or it waits. */
export type Decision =
  | { readonly state: 'succeeded' }
  | { readonly state: 'exhausted'; readonly reason: ExhaustedReason }
  | { readonly state: 'cancelled'; readonly reason: CancelledReason }
  | { readonly state: 'retrying'; readonly nextAttemptAtMs: number }
  /** `fromMs`: its turn in the backlog comes no earlier. */
  | { readonly state: 'parked'; readonly reason: ParkedReason; readonly fromMs?: number };

/** The circumstances in which an attempt was made. */
interface Attempted {
  /** The answer has disabled the subscription. */
  readonly isDisabled: boolean;
  /** A probe is on record, and uses up nothing of the schedule. */
  readonly isProbe: boolean;
  /**
   * The endpoint refused it as overloaded, and a drain paces what it gets: the message uses up nothing of its
   * schedule, and takes its turn in the backlog again.
   */
  readonly isPaced: boolean;
  /** 1 for the first. */
  readonly attempt: number;
  /** Earlier attempts that failed and count for the schedule. */
  readonly failedAttempts: number;
  /** From when the message's age counts. */
  readonly sinceMs: number;
  readonly schedule: readonly number[];
  /** A random number from 0 to 1. */
  readonly draw: number;
  /** When the answer came: `Retry-After` may be a date. */
  readonly nowMs: number;
}

/**
 * What an attempt means for its message. The first rule that applies decides. Source: Standard Webhooks
 * 1.0.0, "Response status codes".
 */
export function decide(
  result: AttemptResult,
  { isDisabled, isProbe, isPaced, attempt, failedAttempts, sinceMs, schedule, draw, nowMs }: Attempted,
  policy: DeliveryPolicy,
): Decision {
  if (result.failure_class === undefined) {
    return { state: 'succeeded' };
  }
  if (askedBy(result) === 'abort-message') {
    return { state: 'exhausted', reason: 'aborted_by_receiver' };
  }
  if (isOverAge(sinceMs, nowMs, policy)) {
    return { state: 'exhausted', reason: 'age' };
  }
  if (isDisabled) {
    return { state: 'parked', reason: 'disabled' };
  }
  if (isProbe) {
    return { state: 'parked', reason: 'circuit_open' };
  }
  const askedMs = retryAfterMs(result, nowMs);
  if (isPaced) {
    const fromMs = nowMs + overloadDelayMs(attempt, askedMs, policy);
    return { state: 'parked', reason: 'catching_up', fromMs };
  }
  const delayMs = retryDelayMs(
    { failedAttempts: failedAttempts + 1, schedule, retryAfterMs: askedMs, draw },
    policy,
  );
  return delayMs === undefined
    ? { state: 'exhausted', reason: 'schedule' }
    : { state: 'retrying', nextAttemptAtMs: nowMs + delayMs };
}

/**
 * Whether a message is too old to go on: once an attempt fails, or behind a circuit that lets nothing pass.
 */
export function isOverAge(
  sinceMs: number,
  nowMs: number,
  { totalAgeMs }: Pick<DeliveryPolicy, 'totalAgeMs'>,
): boolean {
  return nowMs - sinceMs >= totalAgeMs;
}

/** Whether the publisher's `expires_at` has passed: the message is not worth delivering any more. */
export function hasExpired(
  { expires_at }: { readonly expires_at?: string | undefined },
  nowMs: number,
): boolean {
  return expires_at !== undefined && nowMs >= Date.parse(expires_at);
}
