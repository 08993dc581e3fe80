import type { FieldError } from './store/settings.ts';

/** An HTTP response. `body` is any JSON value; undefined: empty. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export function json(status: number, body: unknown): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body };
}

/** Source: RFC 9457, "Problem Details for HTTP APIs". `errors` names each invalid field. */
export function problem(status: number, title: string, errors: readonly FieldError[] = []): Answer {
  const body = { status, title, ...(errors.length > 0 ? { errors } : {}) };
  return { status, headers: { 'content-type': 'application/problem+json' }, body };
}

/** The body of an answer as text. */
export function textOf({ body }: Answer): string {
  return body === undefined ? '' : JSON.stringify(body);
}
