import type { Problem } from '../../functions/core/api/problem.ts';

/** Why a request got no answer that can be used. */
export type Failure =
  /** The API says what is wrong. `retryAfterSeconds`: not before that. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly problem: Problem;
      readonly retryAfterSeconds?: number;
    }
  /** The token is not accepted any more. */
  | { readonly kind: 'signed_out'; readonly detail: string }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'late' }
  /** Something answered that is not the API. */
  | { readonly kind: 'unreadable'; readonly status: number };

export class FailedRequestError extends Error {
  override readonly name = 'FailedRequestError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** The failure in an error of a request. @throws what is none: a mistake of ours */
export function failureOf(error: unknown): Failure {
  if (error instanceof FailedRequestError) return error.failure;
  throw error;
}

/** The end of the problem's type: `not-found`. */
export function problemKind(failure: Failure | undefined): string | undefined {
  return failure?.kind === 'refused' ? failure.problem.type.split(':').at(-1) : undefined;
}

/** What the API says is wrong. Its sentence about fields names only some of many: here are all of them. */
export function detailIn({ type, detail, errors = [] }: Problem): string {
  return type === 'urn:payhooks:problem:malformed-request' && errors.length > 0
    ? `${errors.map(({ field, reason }) => `${field} ${reason}`).join('; ')}.`
    : detail;
}

/** What is wrong with each field, by its path. */
export function fieldErrors(failure: Failure | undefined): Readonly<Record<string, string>> {
  const errors = failure?.kind === 'refused' ? (failure.problem.errors ?? []) : [];
  return Object.fromEntries(errors.map(({ field, reason }) => [field, reason]));
}

/**
 * What the API says is wrong with a field or within it.
 *
 * @param isPlaced whether the place within it is said, too: `resource.amount must not be empty`
 */
export function errorAt(
  name: string,
  errors: Readonly<Record<string, string>>,
  isPlaced = true,
): string | undefined {
  const [field = '', reason] =
    Object.entries(errors).find(([one]) => one === name || one.startsWith(`${name}.`)) ?? [];
  const place = isPlaced ? field.slice(name.length + 1) : '';
  return place === '' ? reason : `${place} ${reason}`;
}

/** The failure that an answer without success means. @param body undefined when it is no JSON */
export function failureIn(status: number, body: unknown, retryAfter: string | null): Failure {
  if (!isProblem(body)) return { kind: 'unreadable', status };
  if (status === 401) return { kind: 'signed_out', detail: body.detail };
  const seconds = Number(retryAfter ?? Number.NaN);
  return {
    kind: 'refused',
    status,
    problem: body,
    ...(Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {}),
  };
}

function isProblem(body: unknown): body is Problem {
  const { type, title, detail } = (body ?? {}) as Partial<Problem>;
  return typeof type === 'string' && typeof title === 'string' && typeof detail === 'string';
}

/** Whether the same request may succeed later: nothing says that it never will. */
export function mayPass(failure: Failure): boolean {
  return failure.kind === 'refused'
    ? failure.status >= 500 || failure.status === 429
    : failure.kind !== 'signed_out';
}

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;

/** How long to wait after this many failures in a row, or as long as the API asks for. */
export function waitAfter(failure: Failure, failuresInARow: number): number {
  const asked = failure.kind === 'refused' ? (failure.retryAfterSeconds ?? 0) * 1_000 : 0;
  return Math.max(asked, Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failuresInARow - 1)));
}
