import {
  type Done,
  type Operators,
  recorded as recordedWith,
} from '../../../functions/api/stage/recorded.ts';
import type { AuditEntry } from '../../../functions/core/api/audit-trail.ts';
import type { Deed, OperatorsEntry } from '../../../functions/core/api/operators-trail.ts';
import { printableError } from '../../terminal/printable.ts';

/** Does something by hand, with an entry in the audit trail: see there. */
export function recorded<Result>(
  operators: Operators,
  deed: Deed,
  act: () => Promise<Done<Result>>,
  warn: (text: string) => void = (text) => console.error(printableError(text)),
): Promise<Result> {
  return recordedWith(operators, deed, act, warn);
}

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
