import type { ProblemKind } from '../../core/api/problem.ts';
import { type Described, isRepeatable } from '../operation.ts';

/** The problems of an operation: those that follow from its parameters, and those it declares. */
export function problemsOf(operation: Described): ProblemKind[] {
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
