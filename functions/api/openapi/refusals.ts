import { KINDS, type ProblemKind, problem } from '../../core/api/problem.ts';
import type { Operation } from '../operation.ts';
import { problemsOf } from './problems-of.ts';

/** Of an answer that says no, and of every one. */
export const REQUEST_ID = { 'x-request-id': 'Quote it when you ask for help.' };
const HEADERS_OF_PROBLEM: Readonly<Partial<Record<number, Readonly<Record<string, string>>>>> = {
  401: { 'www-authenticate': 'What kind of token is missing.' },
  403: { 'www-authenticate': 'Which scope is missing.' },
  429: { 'retry-after': 'Seconds until requests of this token are taken again.' },
  503: { 'retry-after': 'Seconds after which to try again.' },
};

const EXAMPLE_DETAIL = 'What is the matter with this request.';

/** By status: references to what is described once for all operations. */
export function refused(operation: Operation) {
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

/** All refusals of all operations, by their kinds. */
export function refusals(operations: readonly Operation[]) {
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
