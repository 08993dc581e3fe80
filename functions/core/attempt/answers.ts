import * as z from 'zod/mini';
import type { AttemptResult } from './attempt.ts';

/**
 * What an attempt says about its endpoint. `refused`: it is healthy and refuses this message (most 4xx).
 * `overloaded`: it asks for fewer requests (429, or 503 with `Retry-After`). `unwell`: any other failure.
 */
export const ANSWER_KINDS = ['succeeded', 'refused', 'overloaded', 'unwell'] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/** How many answers of each kind. */
export const answersSchema = z.object({
  succeeded: z.int(),
  refused: z.int(),
  overloaded: z.int(),
  unwell: z.int(),
});
export type Answers = z.infer<typeof answersSchema>;

export const NO_ANSWERS: Answers = { succeeded: 0, refused: 0, overloaded: 0, unwell: 0 };

/**
 * What was counted between two readings; nothing if the earlier one is missing, or counting has started over
 * since.
 */
export function answersBetween(earlier: Answers | undefined, later: Answers | undefined): Answers {
  if (
    earlier === undefined ||
    later === undefined ||
    ANSWER_KINDS.some((kind) => later[kind] < earlier[kind])
  ) {
    return NO_ANSWERS;
  }
  return {
    succeeded: later.succeeded - earlier.succeeded,
    refused: later.refused - earlier.refused,
    overloaded: later.overloaded - earlier.overloaded,
    unwell: later.unwell - earlier.unwell,
  };
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

/** What the receiver asks for with an answer. */
export function askedBy({ response_headers }: AttemptResult): string | undefined {
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
