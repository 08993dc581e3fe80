import * as z from 'zod/mini';
import type { Attempt, AttemptResult } from '../attempt/attempt.ts';
import type { Decision } from '../message/decision.ts';
import type { MessageRecord } from '../message/history.ts';
import { afterAttempt, attemptOf } from '../message/outcome.ts';
import type { Outcome } from '../message/ports.ts';

/** What a partner says became of a message from its feed; `ended`: nothing, in time. */
const leaseResultSchema = z.object({
  outcome: z.enum(['delivered', 'failed', 'ended']),
  /** Since when that is known. ISO 8601 in UTC with milliseconds. */
  at: z.string(),
  status_code: z.optional(z.int()),
  reason: z.optional(z.string()),
});
export type LeaseResult = z.infer<typeof leaseResultSchema>;

/**
 * A message that a partner has in hand: an attempt that is under way. It lies with the queued message, so it
 * ends with it. Whoever writes the result first decides: the partner, or `deliver` once the lease has ended.
 */
export const leaseSchema = z.object({
  id: z.string(),
  since: z.string(),
  until: z.string(),
  result: z.optional(leaseResultSchema),
});
export type Lease = z.infer<typeof leaseSchema>;

/** In seconds: how long a partner may have a message in hand. */
export const LEASE_SECONDS = { min: 5, standard: 30, max: 900 } as const;

/** How many payments of a subscription may be in hand: a feed looks no further into the backlog. */
export const MAX_IN_HAND = 100;

/** What the result of a lease says, as an attempt of ours would say it. */
export function attemptResultOf({ since }: Pick<Lease, 'since'>, result: LeaseResult): AttemptResult {
  const { outcome, at, status_code, reason } = result;
  const duration_ms = Math.max(0, Date.parse(at) - Date.parse(since));
  const status = status_code === undefined ? {} : { status_code };
  switch (outcome) {
    case 'delivered':
      return { ...status, duration_ms };
    case 'ended':
      return { failure_class: 'timeout', failure_reason: 'The lease ended without a result.', duration_ms };
    case 'failed':
      return {
        ...status,
        failure_class: status_code === undefined ? 'reported' : 'http_status',
        failure_reason: reason ?? 'The partner reported a failure.',
        duration_ms,
      };
  }
}

/** What is written of the attempt that a lease was. */
export function outcomeOfLease(
  record: MessageRecord,
  { since }: Pick<Lease, 'since'>,
  result: AttemptResult,
  decision: Decision,
  nowMs: number,
): { readonly outcome: Outcome; readonly attempt: Attempt } {
  const number = record.attempt_count + 1;
  const marks = record.late ? { late: true } : {};
  const attempt = attemptOf(number, Date.parse(since), result, marks);
  const next = afterAttempt(record, attempt, decision, nowMs);
  return { attempt, outcome: { record: next, ...(number === 1 ? {} : { laterAttempt: attempt }) } };
}
