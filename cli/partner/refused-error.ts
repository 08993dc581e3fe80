import * as z from 'zod';
import { ExplainedError } from '../terminal/explanation.ts';
import { printable } from '../terminal/terminal.ts';

const problemSchema = z.object({
  title: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ field: z.string(), reason: z.string() })).optional(),
  request_id: z.string().optional(),
});

/** Something other than the API answers at the URL that was given. */
export class OtherApiError extends ExplainedError {}

/** The API answered with something else than 2xx; the message says what, and why. */
export class RefusedError extends ExplainedError {
  readonly status: number;
  readonly #problem: unknown;

  constructor(message: string, status: number, problem: unknown) {
    super(message);
    this.status = status;
    this.#problem = problem;
  }

  /** The problem document; whatever came instead when it was none. */
  override get problem(): unknown {
    return this.#problem;
  }
}

/** What the API refused, by the JSON of its answer. */
export function refusedError(call: string, status: number, json: unknown): RefusedError {
  const problem = problemSchema.safeParse(json).data;
  if (problem === undefined) {
    return new RefusedError(
      `${call} was answered with ${status}: ${printable(JSON.stringify(json))}`,
      status,
      json,
    );
  }
  const { title, detail, errors = [], request_id } = problem;
  const lines = [
    // The detail repeats the first of the errors, which follow.
    `${title} (${status}):${errors.length > 0 ? '' : ` ${printable(detail)}`}`,
    ...errors.map(({ field, reason }) => `  ${printable(field || 'request')}: ${printable(reason)}`),
    ...(request_id === undefined ? [] : [`  request ${request_id}`]),
  ];
  return new RefusedError(lines.join('\n'), status, json);
}
