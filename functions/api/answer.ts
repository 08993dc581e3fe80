import { type FieldError, type ProblemKind, problem } from '../core/api/problem.ts';

type Headers = Readonly<Record<string, string>>;

/** What a request is answered with. A refusal is an answer too; only a fault of ours is an exception. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON; absent: no content. */
  readonly body?: unknown;
  readonly headers?: Headers;
  /** Members of the body that are shown this once: kept nowhere, so that the answer to a repeated request is without them. */
  readonly once?: Readonly<Record<string, unknown>>;
  /** What has been changed, for the audit trail; absent when nothing was. */
  readonly change?: Change;
}

/** Who did it and when, the dispatcher knows. Never holds a secret. */
export interface Change {
  readonly subscription_id?: string;
  readonly message_id?: string;
  /** What it was and what it is now, by name. */
  readonly changed?: Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>>;
}

export function refusal(kind: ProblemKind, detail: string, headers: Headers = {}): Answer {
  const body = problem(kind, detail);
  return { status: body.status, body, headers: { ...headers, 'content-type': 'application/problem+json' } };
}

/** A refusal that names what is wrong with each member of the request. */
export function refusalOf(fieldErrors: readonly FieldError[], kind: ProblemKind, detail: string): Answer {
  return { ...refusal(kind, detail), body: problem(kind, detail, fieldErrors) };
}

/**
 * Says the id again, where it reads like one: whoever has mistaken one id for another sees it.
 *
 * @param params of the path
 */
export function noSuch(
  thing: 'subscription' | 'message' | 'recovery' | 'secret',
  params: Readonly<Record<string, string>>,
): Answer {
  const id = params[`${thing}_id`] ?? '';
  const which = /^[A-Za-z0-9_-]{1,80}$/.test(id) ? id : 'with that id';
  return refusal('not-found', `This service has no ${thing} ${which}.`);
}

export function toResponse(answer: Answer, requestId: string): Response {
  const { statusCode, headers, body = null } = resultOf(answer, requestId);
  return new Response(body, { status: statusCode, headers });
}

/** The answer in the form of API Gateway. A problem tells the id of the request, by which it is found in the logs. */
export function resultOf({ status, body, once, headers }: Answer, requestId: string) {
  const told =
    status < 400 ? { ...(body as object), ...once } : { ...(body as object), request_id: requestId };
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/json',
      // An answer may hold a signing secret, and all of them belong to one service only.
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(told) }),
  };
}
