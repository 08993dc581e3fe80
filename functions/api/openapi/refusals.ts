import * as z from 'zod';
import { KINDS, type ProblemKind, problem } from '../../core/api/problem.ts';
import { type Described, isRepeatable } from '../operation.ts';

const types = Object.keys(KINDS).map((kind) => `urn:payhooks:problem:${kind as ProblemKind}` as const);

/** A problem document as partners read it. Source: RFC 9457. */
export const problemSchema = z.object({
  type: z.enum(types).describe('The kind of problem. Stable: programs may rely on it.'),
  title: z.string().describe('The kind of problem, in words.'),
  status: z.int().min(400).max(599).describe('The HTTP status code.'),
  detail: z.string().describe('What is wrong with this request.'),
  errors: z
    .array(z.object({ field: z.string(), reason: z.string() }))
    .optional()
    .describe(
      'Each invalid field (such as `event_types.0`) or query parameter. `body` stands for the whole body.',
    ),
  request_id: z.string().describe('The id of the request. Quote it when you contact support.').optional(),
  recovery_id: z.string().describe('The id of the recovery that is already running.').optional(),
});

/** The problems of an operation: those that follow from its parameters, and those it declares. */
function problemsOf(operation: Described): ProblemKind[] {
  const { path, scope, body, isConditional, isOfStage = false, problems = [] } = operation;
  const isLocked = scope !== 'none';
  const kinds: ProblemKind[] = [
    'malformed-request',
    ...when(isLocked, 'unauthorized', 'insufficient-scope'),
    ...when(path.includes(':'), 'not-found'),
    ...when(isOfStage && isLocked, 'stage-session'),
    ...when(isRepeatable(operation), 'request-in-progress', 'idempotency-key-reused'),
    ...when(isConditional === true, 'precondition-failed'),
    ...when(body !== undefined, 'content-too-large'),
    ...problems,
    ...when(isLocked, 'too-many-requests'),
    'internal',
  ];
  return [...new Set(kinds)];
}

function when(condition: boolean, ...kinds: ProblemKind[]): ProblemKind[] {
  return condition ? kinds : [];
}

/** A header of every response, successful or not. */
export const REQUEST_ID = { 'x-request-id': 'The id of the request. Quote it when you contact support.' };
const HEADERS_OF_PROBLEM: Readonly<Partial<Record<number, Readonly<Record<string, string>>>>> = {
  401: { 'www-authenticate': 'The authentication scheme, and what is wrong with the token.' },
  403: { 'www-authenticate': 'The scope that the token lacks.' },
  429: { 'retry-after': 'The number of seconds to wait before you try again.' },
  503: { 'retry-after': 'The number of seconds to wait before you try again.' },
};

const EXAMPLE_DETAIL = 'What is wrong with this request.';

/** By status: references to the responses, which are described once for all operations. */
export function refused(operation: Described) {
  return Object.fromEntries(
    byStatus(problemsOf(operation)).map(([status, some]) => [
      status,
      { $ref: `#/components/responses/${some.join('.')}` },
    ]),
  );
}

function byStatus(kinds: readonly ProblemKind[]) {
  return [...Map.groupBy(kinds, (kind) => KINDS[kind].status)];
}

/** All error responses of all operations, by the kinds of problems they contain. */
export function refusals(operations: readonly Described[]) {
  return Object.fromEntries(
    operations
      .flatMap((operation) => byStatus(problemsOf(operation)))
      .map(([status, some]) => [
        some.join('.'),
        {
          description: some
            .map((kind) => `\`urn:payhooks:problem:${kind}\`: ${KINDS[kind].title}.`)
            .join('\n\n'),
          headers: headersOf({ ...REQUEST_ID, ...HEADERS_OF_PROBLEM[status] }),
          content: {
            'application/problem+json': {
              schema: { $ref: '#/components/schemas/Problem' },
              examples: Object.fromEntries(
                some.map((kind) => [kind, { value: problem(kind, EXAMPLE_DETAIL) }]),
              ),
            },
          },
        },
      ]),
  );
}

export function headersOf(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, ...(name in REQUEST_ID ? { required: true } : {}), schema: { type: 'string' } },
    ]),
  );
}
