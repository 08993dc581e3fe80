import type { Operation } from '../operation.ts';
import type { StagePorts } from './stage-ports.ts';

export type StageOperation = Operation<unknown, unknown, StagePorts>;

/**
 * Declares an operation for sessions of the whole stage; the types of its request follow from its schemas.
 */
export function stageOperation<Query = Readonly<Record<never, never>>, Body = undefined>(
  declared: Omit<Operation<Query, Body, StagePorts>, 'tag' | 'isOfStage'>,
): StageOperation {
  // Safe: each request is parsed with the same schemas that these types come from.
  return { ...declared, tag: 'Operators', isOfStage: true } as unknown as StageOperation;
}
