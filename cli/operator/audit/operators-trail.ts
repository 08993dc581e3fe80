import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '../../../functions/core/api/audit-trail.ts';
import { printableError } from '../../terminal/printable.ts';

/** What an operator does by hand. Holds no secret and no body. */
export interface Deed {
  /** As it was typed, without its arguments: `circuits open`. */
  readonly command: string;
  readonly arguments: Readonly<Record<string, string | number | boolean>>;
}

/** What came of it, as numbers and names; `fault` when it failed. */
export type Outcome = Readonly<Record<string, string | number | boolean>>;

/** An entry of the audit trail of a stage. */
export interface OperatorsEntry extends Deed {
  /** ISO 8601 in UTC with milliseconds: when it began. */
  readonly at: string;
  readonly request_id: string;
  /** The ARN that AWS knows the operator by; `local` on the local stage. */
  readonly who: string;
  /** Absent: it is still running, or was cut short. */
  readonly outcome?: Outcome | undefined;
}

/** What an operator changed for a service, as its partner sees it: not who did it. */
export type OperatorsChange = Pick<
  AuditEntry,
  'service_id' | 'operation' | 'subscription_id' | 'message_id' | 'changed'
>;

/** What operators did by hand on a stage, for 400 days. */
export interface OperatorsTrail {
  /** Writes an entry. Rejects when it cannot: then nothing may be changed. */
  begin(entry: OperatorsEntry): Promise<void>;
  /** Adds what came of it, and what partners see of it. */
  finish(entry: OperatorsEntry, outcome: Outcome, changes: readonly AuditEntry[]): Promise<void>;
  /** At most `max` entries, newest first. */
  newest(max: number): Promise<readonly OperatorsEntry[]>;
}

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
  warn: (text: string) => void = (text) => console.error(printableError(text)),
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
    await finish({ fault: error instanceof Error ? error.message : String(error) }, []);
    throw error;
  }
  await finish(done.outcome, done.changes ?? []);
  return done.result;
}

/** An audit trail in memory. */
export function inMemoryOperators(): Operators & {
  readonly entries: OperatorsEntry[];
  readonly changes: AuditEntry[];
} {
  const entries: OperatorsEntry[] = [];
  const changes: AuditEntry[] = [];
  return {
    entries,
    changes,
    who: 'local',
    trail: {
      async begin(entry) {
        entries.push(entry);
      },
      async finish({ request_id }, outcome, seen) {
        const index = entries.findIndex((entry) => entry.request_id === request_id);
        entries[index] = { ...(entries[index] as OperatorsEntry), outcome };
        changes.push(...seen);
      },
      newest: async (max) => entries.toReversed().slice(0, max),
    },
  };
}
