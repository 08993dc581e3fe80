import type { CancelledReason, ExhaustedReason, ParkedReason } from '../message/message.ts';
import type { AttemptResult } from './attempt.ts';
import type { DeliveryPolicy } from './delivery-policy.ts';

/** What we decide about a message: it has ended, it is attempted again later, or it waits. */
export type Decision =
  | { readonly state: 'succeeded' }
  | { readonly state: 'exhausted'; readonly reason: ExhaustedReason }
  | { readonly state: 'cancelled'; readonly reason: CancelledReason }
  | { readonly state: 'retrying'; readonly nextAttemptAtMs: number }
  | { readonly state: 'parked'; readonly reason: ParkedReason };

/** The circumstances in which an attempt was made. */
interface Attempted {
  /** The answer has disabled the subscription. */
  readonly isDisabled: boolean;
  /** A probe is on record, and uses up nothing of the schedule. */
  readonly isProbe: boolean;
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
  { isDisabled, isProbe, failedAttempts, sinceMs, schedule, draw, nowMs }: Attempted,
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
  const retryAfterMs = retryAfter(result, nowMs);
  const delayMs = retryDelayMs({ failedAttempts: failedAttempts + 1, schedule, retryAfterMs, draw }, policy);
  return delayMs === undefined
    ? { state: 'exhausted', reason: 'schedule' }
    : { state: 'retrying', nextAttemptAtMs: nowMs + delayMs };
}

/**
 * Why a subscription gets nothing until its partner enables it: it failed for days, or its receiver said so.
 */
export const DISABLED_REASONS = ['gone', 'asked_by_receiver', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

const GONE = 410;

/** Why an answer disables the subscription; undefined when it does not. A successful one may. */
export function reasonToDisable(result: AttemptResult): DisabledReason | undefined {
  if (result.status_code === GONE) {
    return 'gone';
  }
  return askedBy(result) === 'disable' ? 'asked_by_receiver' : undefined;
}

function askedBy({ response_headers }: AttemptResult): string | undefined {
  return response_headers?.['webhook-delivery']?.trim().toLowerCase();
}

/** Statuses that may come with `Retry-After`. */
const MAY_SAY_WHEN = new Set([429, 502, 503, 504]);

/** Seconds, or a date; anything else is ignored. Source: RFC 9110, section 10.2.3. */
function retryAfter({ status_code, response_headers }: AttemptResult, nowMs: number): number | undefined {
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
