import {
  type Done,
  type Operators,
  recorded as recordedWith,
} from '../../../functions/api/stage/recorded.ts';
import type { AuditEntry } from '../../../functions/core/api/audit-trail.ts';
import type { Deed, OperatorsEntry } from '../../../functions/core/api/operators-trail.ts';
import type { ChosenDeployment } from '../../stage/chosen-deployment.ts';
import { printableError, textTable } from '../../terminal/terminal.ts';
import { limit, ON_STAGE, operatorCommand } from '../operator-command.ts';

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

export const audit = operatorCommand({
  name: 'audit',
  summary: 'Show what operators did by hand on a stage in the last 400 days, newest first',
  options: { ...limit(50, 'how many entries at most'), ...ON_STAGE },
  example: '--stage dev',
  remarks:
    'An entry without an outcome is still running, or was cut short: check what it was about to change. Entries name a command as it\nwas called then: stuck was keys. What each command does: docs/operations-by-hand.md.',
  async run({ limit, stage }, { access, print }) {
    const { trail } = await (await access(stage)).operators();
    const operations = await trail.newest(limit);
    print(operationsText(operations, stage), { operations });
    return true;
  },
});

function operationsText(operations: readonly OperatorsEntry[], stage: ChosenDeployment): string {
  if (operations.length === 0) {
    return `Nobody has changed anything by hand on ${stage}.`;
  }
  return textTable([
    ['at', 'who', 'command', 'with', 'outcome'],
    ...operations.map(({ at, who, command, arguments: given, outcome }) => [
      at,
      shortName(who),
      command,
      pairs(given),
      outcome === undefined ? 'none: still running, or cut short' : pairs(outcome),
    ]),
  ]).join('\n');
}

/** `arn:aws:sts::111122223333:assumed-role/OnCall/jane` is `OnCall/jane` to people; --json has all of it. */
function shortName(who: string): string {
  return who.replace(/^arn:[^/]*\//, '');
}

function pairs(of: Readonly<Record<string, unknown>>): string {
  return Object.entries(of)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
