import type * as z from 'zod';

/** Every kind of problem, by the end of its `type`. */
export const KINDS = {
  'malformed-request': { status: 400, title: 'The request is not valid' },
  unauthorized: { status: 401, title: 'No valid API token' },
  'insufficient-scope': { status: 403, title: 'The token lacks the scope' },
  'token-limited': { status: 403, title: 'The token is limited' },
  'stage-session': { status: 403, title: 'Not for this kind of session' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'too-many-subscriptions': { status: 409, title: 'Too many subscriptions' },
  'ping-not-resent': { status: 409, title: 'Test pings cannot be resent' },
  'body-erased': { status: 409, title: 'The body was erased' },
  'already-waiting': { status: 409, title: 'The message is already waiting' },
  'already-ended': { status: 409, title: 'The message has already ended' },
  'subscription-deleted': { status: 409, title: 'The subscription was deleted' },
  'wrong-delivery': { status: 409, title: 'Not for this kind of delivery' },
  'subscription-disabled': { status: 409, title: 'The subscription is disabled' },
  'no-stage-key': { status: 409, title: 'The stage has no key' },
  'too-many-secrets': { status: 409, title: 'Too many signing secrets' },
  'last-secret': { status: 409, title: 'The last signing secret cannot be revoked' },
  'recovery-running': { status: 409, title: 'A recovery is already running' },
  'circuit-unchanged': { status: 409, title: 'There is nothing to change' },
  'too-many-portal-sessions': { status: 409, title: 'Too many portal sessions' },
  'payment-too-large': { status: 409, title: 'The payment has too many messages' },
  'request-in-progress': { status: 409, title: 'The request is in progress' },
  'precondition-failed': { status: 412, title: 'If-Match names another version' },
  'content-too-large': { status: 413, title: 'The request is too large' },
  'callback-url-refused': { status: 422, title: 'The callback URL is refused' },
  'portal-code-refused': { status: 422, title: 'The link does not work, or no longer' },
  'idempotency-key-reused': { status: 422, title: 'The idempotency key belongs to another request' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'too-many-pings': { status: 429, title: 'Too many test pings' },
  'too-many-probes': { status: 429, title: 'Asked for a probe too often' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  'look-up-failed': { status: 503, title: 'The host could not be looked up' },
  'not-taken': { status: 503, title: 'The request could not be taken' },
  contended: { status: 503, title: 'Too many changes at once' },
} as const;
export type ProblemKind = keyof typeof KINDS;

/** One invalid field of a request: `field` is its path, such as `event_types.0`, or `body` for the whole. */
export interface FieldError {
  readonly field: string;
  readonly reason: string;
}

/** What a partner gets when a request fails. Source: RFC 9457. `type` is stable: programs may rely on it. */
export interface Problem {
  readonly type: `urn:payhooks:problem:${ProblemKind}`;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  /** The id of the failed request: quote it when you ask for help. */
  readonly request_id?: string;
}

export function problem(kind: ProblemKind, detail: string, errors?: readonly FieldError[]): Problem {
  const { title, status } = KINDS[kind];
  return {
    type: `urn:payhooks:problem:${kind}`,
    title,
    status,
    detail,
    ...(errors === undefined ? {} : { errors }),
  };
}

/** More than this helps nobody. */
const MAX_FIELD_ERRORS = 20;

/** How many the detail names: it is what people see first, and often all that a log keeps. */
const MAX_IN_DETAIL = 3;

/** One sentence that is enough without `errors`. @param thing what each one is, such as `field` */
export function detailOf(fieldErrors: readonly FieldError[], thing: string): string {
  const few = fieldErrors.length === 1 ? `1 ${thing} is` : `${fieldErrors.length} ${thing}s are`;
  const count = `${fieldErrors.length < MAX_FIELD_ERRORS ? few : `At least ${few}`} wrong`;
  const named = fieldErrors.slice(0, MAX_IN_DETAIL).map(({ field, reason }) => `${field} ${reason}`);
  const rest = fieldErrors.length > MAX_IN_DETAIL ? '; the rest is in errors' : '';
  return `${count}: ${named.join('; ')}${rest}.`;
}

/**
 * One error for each issue of a field and each unknown field, at most twenty. For errors of parses with
 * `reasonOf`.
 */
export function fieldErrorsOf({ issues }: z.core.$ZodError): FieldError[] {
  return issues
    .filter(
      (issue) => !isSafeBound(issue) || issues.every((other) => other === issue || !isAt(other, issue.path)),
    )
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({ field: [...issue.path, key].join('.'), reason: 'is not known' }))
        : [{ field: issue.path.join('.') || 'body', reason: issue.message }],
    )
    .slice(0, MAX_FIELD_ERRORS);
}

/**
 * Whether the issue is JavaScript's own bound on integers. Nobody chose that bound; beside a chosen one it
 * misleads.
 */
function isSafeBound(issue: z.core.$ZodIssue): boolean {
  return (
    (issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER) ||
    (issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER)
  );
}

function isAt(issue: z.core.$ZodIssue, path: readonly PropertyKey[]): boolean {
  return issue.path.join('.') === path.join('.');
}
