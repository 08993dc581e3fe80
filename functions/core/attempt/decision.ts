import type { CancelledReason, ExhaustedReason, ParkedReason } from '../message/message.ts';
import type { AnswerKind } from './answers.ts';
import type { AttemptResult } from './attempt.ts';
import type { DeliveryPolicy } from './delivery-policy.ts';
import { overloadDelayMs, retryAfterMs, retryDelayMs } from './retry-schedule.ts';

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

const TOO_MANY_REQUESTS = 429;
const SERVICE_UNAVAILABLE = 503;
/**
 * 4xx about the connection and not about the message: Request Timeout, Too Early. Source: RFC 9110, RFC 8470.
 */
const TRANSIENT = new Set([408, 425]);

/** The part of an attempt in which its worker was blind, so that a time-out says nothing of the endpoint. */
const MAX_BLIND_PART = 1 / 3;

/** What an attempt says about its endpoint; undefined: nothing, as the worker could hardly look. */
export function answerOf({
  status_code: status,
  failure_class,
  response_headers = {},
  duration_ms,
  looked_late_ms = 0,
}: AttemptResult): AnswerKind | undefined {
  if (failure_class === 'timeout' && looked_late_ms > MAX_BLIND_PART * duration_ms) {
    return undefined;
  }
  if (failure_class === undefined) {
    return 'succeeded';
  }
  if (failure_class !== 'http_status' || status === undefined) {
    return 'unwell';
  }
  if (
    status === TOO_MANY_REQUESTS ||
    (status === SERVICE_UNAVAILABLE && response_headers['retry-after'] !== undefined)
  ) {
    return 'overloaded';
  }
  return status >= 400 && status < 500 && !TRANSIENT.has(status) ? 'refused' : 'unwell';
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
