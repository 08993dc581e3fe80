import * as z from 'zod';
import { ExplainedError } from '../local/explained-error.ts';

const problemSchema = z.object({
  title: z.string(),
  detail: z.string(),
  errors: z.array(z.object({ field: z.string(), reason: z.string() })).optional(),
  request_id: z.string().optional(),
});

/** The API answered with something else than 2xx; the message says what, and why. */
export class RefusedError extends ExplainedError {
  readonly status: number;
  /** The problem document; the text as it came when it was none. */
  readonly problem: unknown;

  constructor(message: string, status: number, problem: unknown) {
    super(message);
    this.status = status;
    this.problem = problem;
  }
}

export async function refusedError(call: string, answer: Response): Promise<RefusedError> {
  const text = await answer.text();
  const json = jsonOf(text);
  const problem = problemSchema.safeParse(json).data;
  if (problem === undefined) {
    return new RefusedError(`${call} was answered with ${answer.status}: ${text}`, answer.status, text);
  }
  const { title, detail, errors = [], request_id } = problem;
  const lines = [
    `${title} (${answer.status}): ${detail}`,
    ...errors.map(({ field, reason }) => `  ${field || 'request'}: ${reason}`),
    ...(request_id === undefined ? [] : [`  request ${request_id}`]),
  ];
  return new RefusedError(lines.join('\n'), answer.status, json);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
