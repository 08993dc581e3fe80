import * as z from 'zod';
import { STAGE_NAMES } from '../../stage/stage-access.ts';
import { commandOptions, numberOption } from '../../terminal/command-options.ts';
import type { Surroundings } from '../../terminal/surroundings.ts';
import { textTable } from '../../terminal/text-table.ts';
import type { OperatorsEntry } from './operators-trail.ts';

export const OPERATIONS_HELP = `Shows what operators have done by hand on a stage, newest first: for 400 days.

  npm run operations [-- list] [options]

  --limit N        so many, 1 to 1000 (default: 50)
  --stage NAME     ${STAGE_NAMES.join(', ')} (default: local)
  --json           print one JSON object and nothing else
  --help

An entry without an outcome goes on, or was cut short: look at what it was to change. What each command does: docs/operations-by-hand.md.
`;

const optionsSchema = z.object({
  command: z.literal('list', 'must be list'),
  limit: numberOption(1, 1_000, { whole: true }),
  stage: z.enum(STAGE_NAMES, `there is none of that name; there is ${STAGE_NAMES.join(', ')}`),
  json: z.boolean(),
});

const DEFAULTS = { limit: '50', stage: 'local', json: false } as const;

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming what is at fault */
export async function operationsCommand(
  args: string[],
  { access, print }: Pick<Surroundings, 'access' | 'print'>,
): Promise<void> {
  const named = args[0] === undefined || args[0].startsWith('-') ? ['list', ...args] : args;
  const options = commandOptions(named, DEFAULTS, optionsSchema, ['command']);
  if (options === 'help') {
    print(OPERATIONS_HELP);
    return;
  }
  const { trail } = await (await access(options.stage)).operators();
  const operations = await trail.newest(options.limit);
  print(`${options.json ? JSON.stringify({ operations }) : operationsText(operations, options.stage)}\n`);
}

export function operationsText(operations: readonly OperatorsEntry[], stage: string): string {
  if (operations.length === 0) {
    return `Nobody has done anything by hand on ${stage}.`;
  }
  return textTable([
    ['at', 'who', 'command', 'with', 'outcome'],
    ...operations.map(({ at, who, command, arguments: given, outcome }) => [
      at,
      shortName(who),
      command,
      pairs(given),
      outcome === undefined ? 'none: it goes on, or was cut short' : pairs(outcome),
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
