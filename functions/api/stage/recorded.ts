import { randomUUID } from 'node:crypto';
import type { Deed, OperatorsChange, OperatorsTrail, Outcome } from '../../core/api/operators-trail.ts';

export interface Operators {
  readonly trail: OperatorsTrail;
  readonly who: string;
}

/** What an operator's command has changed. */
export interface Done<Result> {
  readonly result: Result;
  readonly outcome: Outcome;
  /** What partners see of it. @default - nothing */
  readonly changes?: readonly OperatorsChange[];
}

/**
 * Does something by hand, with an entry in the audit trail: written before the first change, so that nothing
 * is changed that cannot be recorded, and completed with the outcome after the last. When only the outcome
 * cannot be written, the result is still returned, and `warn` is told.
 */
export async function recorded<Result>(
  { trail, who }: Operators,
  deed: Deed,
  act: () => Promise<Done<Result>>,
  warn: (text: string) => void,
): Promise<Result> {
  const entry = { ...deed, at: new Date().toISOString(), request_id: `opr_${randomUUID()}`, who };
  await trail.begin(entry);
  const finish = async (outcome: Outcome, changes: readonly OperatorsChange[]) => {
    const seen = changes.map((change, index) => ({
      ...change,
      at: new Date().toISOString(),
      // Each needs a sort key of its own.
      request_id: index === 0 ? entry.request_id : `${entry.request_id}-${index}`,
      actor: 'operator' as const,
    }));
    try {
      await trail.finish(entry, outcome, seen);
    } catch (error) {
      warn(`The outcome could not be written to the audit trail, entry ${entry.request_id}: ${error}`);
    }
  };
  let done: Done<Result>;
  try {
    done = await act();
  } catch (error) {
    await finish({ error: error instanceof Error ? error.message : String(error) }, []);
    throw error;
  }
  await finish(done.outcome, done.changes ?? []);
  return done.result;
}
