import * as z from 'zod/mini';

/**
 * Why an attempt failed, for people and for statistics. `http_status`: an answer came, and it was not 2xx.
 * `reported`: the partner has fetched the message and says that it failed. `not_echoed`: the answer to a challenge
 * was 2xx and did not repeat it.
 */
export const FAILURE_CLASSES = [
  'timeout',
  'dns',
  'connect',
  'tls',
  'blocked_address',
  'http_status',
  'oversized',
  'reported',
  'not_echoed',
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/**
 * What came back from one POST; a failure is a value, never an exception. `response_body` holds at most the
 * first 4 KB. `failure_class` comes with one sentence that says what happened; both are absent exactly when
 * the status is 2xx and the answer complete.
 */
export interface AttemptResult {
  readonly status_code?: number;
  readonly response_body?: string;
  readonly response_headers?: Readonly<Record<string, string>>;
  readonly failure_class?: FailureClass;
  readonly failure_reason?: string;
  readonly duration_ms: number;
  /** How long after the deadline the worker could look again. */
  readonly looked_late_ms?: number;
}

/** One attempt as the history keeps it. */
export const attemptSchema = z.object({
  /** 1 for the first. */
  attempt: z.int().check(z.minimum(1)),
  /** ISO 8601 in UTC with milliseconds. */
  started_at: z.string(),
  duration_ms: z.number(),
  status_code: z.optional(z.int()),
  failure_class: z.optional(z.enum(FAILURE_CLASSES)),
  failure_reason: z.optional(z.string()),
  response_body: z.optional(z.string()),
  /** Made to see whether the endpoint was back: it uses up nothing of the schedule. */
  probe: z.optional(z.boolean()),
  /**
   * Made after the message had ended and was asked for again: later messages of its payment may have come
   * before it.
   */
  late: z.optional(z.boolean()),
  /** A worker died between an earlier attempt and its record: that attempt may be missing. */
  earlier_may_be_missing: z.optional(z.boolean()),
});
export type Attempt = z.infer<typeof attemptSchema>;
