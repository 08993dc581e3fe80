import type { ChangedMember } from './change.ts';
import { type FieldError, type ProblemKind, problem } from './problem.ts';

type Headers = Readonly<Record<string, string>>;

/** The answer to a request. A refusal is an answer too; only an internal error is an exception. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON; absent: no content. */
  readonly body?: unknown;
  readonly headers?: Headers;
  /** Fields of the body shown only once: they are stored nowhere, so the answer to a repeat lacks them. */
  readonly once?: Readonly<Record<string, unknown>>;
  /** What has changed, for the audit trail; absent when nothing has. */
  readonly change?: Change;
  /** On whose behalf a request without a token was carried out, for the audit trail and the log. */
  readonly by?: { readonly service_id: string; readonly token_id: string };
}

/** What a request has changed; `perform` adds by whom and when. Never contains a secret. */
export interface Change {
  readonly subscription_id?: string;
  readonly message_id?: string;
  /** The old and the new value, by name. */
  readonly changed?: Readonly<
    Partial<Record<ChangedMember, { readonly from?: unknown; readonly to?: unknown }>>
  >;
}

export function refusal(kind: ProblemKind, detail: string, headers: Headers = {}): Answer {
  const body = problem(kind, detail);
  return { status: body.status, body, headers: { ...headers, 'content-type': 'application/problem+json' } };
}

/** A refusal that says what is wrong with each field of the request. */
export function refusalOf(fieldErrors: readonly FieldError[], kind: ProblemKind, detail: string): Answer {
  return { ...refusal(kind, detail), body: problem(kind, detail, fieldErrors) };
}

/**
 * Repeats the id if it looks like one, so that a partner who mixed up two ids sees it.
 *
 * @param params of the path
 */
export function noSuch(
  thing: 'subscription' | 'message' | 'payment' | 'recovery' | 'secret' | 'session',
  params: Readonly<Record<string, string>>,
): Answer {
  const id = params[`${thing}_id`] ?? '';
  const which = /^[A-Za-z0-9_-]{1,80}$/.test(id) ? id : 'with that id';
  return refusal(
    'not-found',
    `This service has no ${thing === 'session' ? 'portal session' : thing} ${which}.`,
  );
}

/** A queue did not take what a request asks for. */
export function notTaken(thing: 'request' | 'ping'): Answer {
  return refusal('not-taken', `The ${thing} could not be queued: try again.`, { 'retry-after': '5' });
}

export function toResponse(answer: Answer, requestId: string): Response {
  const { statusCode, headers, body = null } = resultOf(answer, requestId);
  return new Response(body, { status: statusCode, headers });
}

/** The answer in API Gateway's format. A problem contains the request id, by which we find it in the logs. */
export function resultOf({ status, body, once, headers }: Answer, requestId: string) {
  const content =
    status < 400 ? { ...(body as object), ...once } : { ...(body as object), request_id: requestId };
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/json',
      // An answer may contain a signing secret, and each belongs to one service only.
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(content) }),
  };
}
