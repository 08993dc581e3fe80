import type { OperatorsEntry } from '../../../functions/core/api/operators-trail.ts';
import type { ChosenDeployment } from '../../stage/chosen-deployment.ts';
import { textTable } from '../../terminal/text-table.ts';
import { limit, ON_STAGE, operatorCommand } from '../operator-command.ts';

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
