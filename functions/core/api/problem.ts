import type * as z from 'zod';

/** What is refused, and how. */
export const KINDS = {
  'malformed-request': { status: 400, title: 'The request is not valid' },
  unauthorized: { status: 401, title: 'No valid API token' },
  'insufficient-scope': { status: 403, title: 'The token may not do this' },
  'not-found': { status: 404, title: 'There is no such thing' },
  'method-not-allowed': { status: 405, title: 'This cannot be done here' },
  'too-many-subscriptions': { status: 409, title: 'Too many subscriptions' },
  'ping-not-resent': { status: 409, title: 'A test ping is not sent again' },
  'body-erased': { status: 409, title: 'The body was erased' },
  'already-waiting': { status: 409, title: 'The message waits already' },
  'subscription-deleted': { status: 409, title: 'The subscription was deleted' },
  'subscription-disabled': { status: 409, title: 'The subscription is disabled' },
  'too-many-secrets': { status: 409, title: 'Too many signing secrets' },
  'last-secret': { status: 409, title: 'Nothing else would sign' },
  'recovery-running': { status: 409, title: 'A recovery is running already' },
  'request-in-progress': { status: 409, title: 'The request is being carried out' },
  'precondition-failed': { status: 412, title: 'It has been changed in the meantime' },
  'content-too-large': { status: 413, title: 'The request is too large' },
  'callback-url-refused': { status: 422, title: 'The callback URL is refused' },
  'idempotency-key-reused': { status: 422, title: 'The key belongs to another request' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'too-many-pings': { status: 429, title: 'Too many test pings' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  'look-up-failed': { status: 503, title: 'The host could not be looked up' },
  'not-taken': { status: 503, title: 'The wish could not be taken' },
  contended: { status: 503, title: 'Too many changes at once' },
} as const;
export type ProblemKind = keyof typeof KINDS;

/** One fault of a request: `field` is the path of the member, `event_types.0`; `body` for the whole of it. */
export interface FieldError {
  readonly field: string;
  readonly reason: string;
}

/** What a partner is told when a request was not fulfilled. Source: RFC 9457. `type` is stable: programs may rely on it. */
export interface Problem {
  readonly type: `urn:payhooks:problem:${ProblemKind}`;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  /** Of the request that was not fulfilled: quote it when you ask for help. */
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

/** More help nobody. */
const MAX_FAULTS = 20;

/** So many are told in the detail too: it is what people see first, and often all that a log keeps. */
const MAX_TOLD = 3;

/** What is wrong, in a sentence that says enough without `errors`. @param thing what each is, such as `field` */
export function detailOf(fieldErrors: readonly FieldError[], thing: string): string {
  const few = fieldErrors.length === 1 ? `1 ${thing} is` : `${fieldErrors.length} ${thing}s are`;
  const count = `${fieldErrors.length < MAX_FAULTS ? few : `At least ${few}`} wrong`;
  const told = fieldErrors.slice(0, MAX_TOLD).map(({ field, reason }) => `${field} ${reason}`);
  const rest = fieldErrors.length > MAX_TOLD ? '; the rest is in errors' : '';
  return `${count}: ${told.join('; ')}${rest}.`;
}

/**
 * One fault for each thing that a schema refuses about a member, and for each member that it does not know; at most twenty. For errors of parses with
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
    .slice(0, MAX_FAULTS);
}

/** That an integer is one which JavaScript can hold is no bound that anybody chose; beside the one that was chosen it misleads. */
function isSafeBound(issue: z.core.$ZodIssue): boolean {
  return (
    (issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER) ||
    (issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER)
  );
}

function isAt(issue: z.core.$ZodIssue, path: readonly PropertyKey[]): boolean {
  return issue.path.join('.') === path.join('.');
}
