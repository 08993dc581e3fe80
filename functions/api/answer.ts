import { type FieldFault, type ProblemKind, problem } from '../core/problem.ts';

type Headers = Readonly<Record<string, string>>;

/** What a request is answered with. A refusal is an answer too; only a fault of ours is an exception. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON; absent: no content. */
  readonly body?: unknown;
  readonly headers?: Headers;
}

export function refusal(kind: ProblemKind, detail: string, headers: Headers = {}): Answer {
  const body = problem(kind, detail);
  return { status: body.status, body, headers: { ...headers, 'content-type': 'application/problem+json' } };
}

/** A refusal that names what is wrong with each member of the request. */
export function refusalOf(faults: readonly FieldFault[], kind: ProblemKind, detail: string): Answer {
  return { ...refusal(kind, detail), body: problem(kind, detail, faults) };
}

export function noSuch(thing: 'subscription' | 'message' | 'recovery'): Answer {
  return refusal('not-found', `This service has no ${thing} with that id.`);
}

export function toResponse(answer: Answer): Response {
  const { statusCode, headers, body = null } = resultOf(answer);
  return new Response(body, { status: statusCode, headers });
}

/** The answer in the form of API Gateway. */
export function resultOf({ status, body, headers }: Answer) {
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/json',
      // An answer may hold a signing secret, and all of them belong to one service only.
      'cache-control': 'no-store',
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}
