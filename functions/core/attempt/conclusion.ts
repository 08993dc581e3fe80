import type { CancelledReason, ExhaustedReason, ParkedReason } from '../message/message.ts';
import type { Decision } from './decision.ts';
import type { DeliveryPolicy } from './delivery-policy.ts';
import { retryDelayMs } from './retry-schedule.ts';

/** What becomes of a message: it ended, it is tried again then, or it waits in line. */
export type Conclusion =
  | { readonly state: 'succeeded' }
  | { readonly state: 'exhausted'; readonly reason: ExhaustedReason }
  | { readonly state: 'cancelled'; readonly reason: CancelledReason }
  | { readonly state: 'retrying'; readonly nextAttemptAtMs: number }
  | { readonly state: 'parked'; readonly reason: ParkedReason };

interface Tried {
  readonly decision: Decision;
  /** The answer has disabled the subscription. */
  readonly isDisabled: boolean;
  /** On record, and uses up nothing of the schedule. */
  readonly isProbe: boolean;
  /** Attempts before this one that failed and counted. */
  readonly failedAttempts: number;
  /** From when the message's age counts. */
  readonly sinceMs: number;
  readonly schedule: readonly number[];
  /** A random number from 0 to 1. */
  readonly draw: number;
  readonly nowMs: number;
}

/** What an attempt has made of its message. The first rule that applies decides. */
export function concluded(
  { decision, isDisabled, isProbe, failedAttempts, sinceMs, schedule, draw, nowMs }: Tried,
  policy: DeliveryPolicy,
): Conclusion {
  if (decision.kind === 'delivered') {
    return { state: 'succeeded' };
  }
  if (decision.kind === 'aborted') {
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
  const delayMs = retryDelayMs(
    { failedAttempts: failedAttempts + 1, schedule, retryAfterMs: decision.retryAfterMs, draw },
    policy,
  );
  return delayMs === undefined
    ? { state: 'exhausted', reason: 'schedule' }
    : { state: 'retrying', nextAttemptAtMs: nowMs + delayMs };
}

/** Old enough to be given up: when an attempt fails, or, without one, behind a circuit that lets nothing pass. */
export function isOverAge(
  sinceMs: number,
  nowMs: number,
  { totalAgeMs }: Pick<DeliveryPolicy, 'totalAgeMs'>,
): boolean {
  return nowMs - sinceMs >= totalAgeMs;
}

/** Whether its publisher has said that it is not worth delivering any more. */
export function hasExpired(
  { expires_at }: { readonly expires_at?: string | undefined },
  nowMs: number,
): boolean {
  return expires_at !== undefined && nowMs >= Date.parse(expires_at);
}
