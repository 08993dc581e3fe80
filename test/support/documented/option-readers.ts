import { OPS } from '../../../cli/operator/ops.ts';
import { WEBHOOKS } from '../../../cli/partner/webhooks.ts';
import { readCommand } from '../../../cli/terminal/run-commands.ts';
import { givenOptions, loadOptions } from '../../../load/lab/scenario/load-options.ts';
import { readScenario } from '../../../load/lab/scenario/scenario.ts';
import { LOAD_TOOLS } from '../../../load/tools.ts';
import { LOCAL } from '../../../local/local-command.ts';
import { SIMULATE } from '../../simulation/run-command.ts';
import { scaleOptions } from '../../simulation/scale/run-options.ts';

/** What a command does first with its arguments; rejects when it would refuse them. */
type ReadOptions = (args: string[]) => unknown;

/** Of each script of `npm run` that takes arguments: the very code that reads them. */
const OPTION_READERS: Readonly<Record<string, ReadOptions>> = {
  load: async ([first = '', ...rest]) => {
    if (LOAD_TOOLS.commands.some(({ name }) => name === first)) {
      return readCommand(LOAD_TOOLS, [first, ...rest]);
    }
    const args = [first, ...rest].filter(Boolean);
    const wanted = givenOptions(args);
    // "all", and none at all, is no scenario.
    return wanted.help || wanted.scenario === 'all'
      ? wanted
      : loadOptions(wanted, await readScenario(wanted.scenario));
  },
  console: (args) => readCommand(OPS, ['console', ...args]),
  portal: (args) => readCommand(OPS, ['portal', ...args]),
  local: (args) => readCommand(LOCAL, args),
  ops: (args) => readCommand(OPS, args),
  simulate: ([first = '', ...rest]) => {
    if (first === 'mutate') {
      return undefined;
    }
    return first === 'scale' ? scaleOptions(rest) : readCommand(SIMULATE, [first, ...rest].filter(Boolean));
  },
  start: (args) => readCommand(LOCAL, args),
  token: (args) => readCommand(OPS, ['token', ...args]),
  webhooks: (args) => readCommand(WEBHOOKS, args),
};

/**
 * @param words as the shell hands them to npm: `run --silent ops -- send --payments 5`
 * @throws when there is no such script, or it would refuse its arguments
 */
export async function readAsNpmRun(words: readonly string[], scripts: Readonly<Record<string, string>>) {
  const [verb = '', ...rest] = words.filter((word, index) => word !== '--silent' || index > 1);
  const name = verb === 'run' ? (rest.shift() ?? '') : verb;
  if (verb === 'ci' && rest.length === 0) {
    return;
  }
  if (scripts[name] === undefined) {
    throw new Error(`package.json has no script ${JSON.stringify(name)}`);
  }
  const args = rest[0] === '--' ? rest.slice(1) : rest;
  const read = OPTION_READERS[name];
  if (read === undefined && args.length > 0) {
    throw new Error(`${name}: nobody reads ${args.join(' ')}`);
  }
  await read?.(args);
}
