import { stuckOptions } from '../../../cli/operator/blocked/blocked-options.ts';
import { circuitsOptions } from '../../../cli/operator/circuits/circuits-options.ts';
import { costOptions } from '../../../cli/operator/cost/cost-options.ts';
import { doctorOptions } from '../../../cli/operator/doctor/doctor-options.ts';
import { personalDataOptions } from '../../../cli/operator/personal-data/personal-data-options.ts';
import { preflightOptions } from '../../../cli/operator/preflight/preflight-options.ts';
import { redriveOptions } from '../../../cli/operator/redrive/redrive-options.ts';
import { restoreOptions } from '../../../cli/operator/restore/restore-options.ts';
import { tokenOptions } from '../../../cli/operator/token/token-options.ts';
import { operationsCommand } from '../../../cli/operator/trail/operations-command.ts';
import { webhooks } from '../../../cli/partner/webhooks.ts';
import { sendOptions } from '../../../cli/publisher/send-options.ts';
import { givenOptions, loadOptions } from '../../../load/lab/scenario/load-options.ts';
import { readScenario } from '../../../load/lab/scenario/scenario.ts';
import { profileOptions } from '../../../load/profile/profile-options.ts';
import { localOptions } from '../../../local/local-options.ts';
import { runOptions } from '../../simulation/run-options.ts';
import { scaleOptions } from '../../simulation/scale/run-options.ts';

/** What a command does first with its arguments; rejects when it would refuse them. */
type ReadOptions = (args: string[]) => unknown;

/** Of each script of `npm run` that takes arguments: the very code that reads them. */
export const OPTION_READERS: Readonly<Record<string, ReadOptions>> = {
  circuits: circuitsOptions,
  cost: costOptions,
  doctor: doctorOptions,
  keys: stuckOptions,
  load: async (args) => {
    const wanted = givenOptions(args);
    // "all", and none at all, is no scenario.
    return wanted.help || wanted.scenario === 'all'
      ? wanted
      : loadOptions(wanted, await readScenario(wanted.scenario));
  },
  local: localOptions,
  operations: (args) => untilTheWorld((reached) => operationsCommand(args, { access: reached, print() {} })),
  'personal-data': personalDataOptions,
  preflight: preflightOptions,
  profile: profileOptions,
  redrive: redriveOptions,
  restore: restoreOptions,
  scale: scaleOptions,
  send: sendOptions,
  simulate: runOptions,
  start: localOptions,
  token: tokenOptions,
  webhooks: (args) => untilTheWorld((reached) => webhooks(args, () => {}, reached)),
};

/** Runs a command up to where it asks for what it would work on. */
async function untilTheWorld(command: (reached: () => Promise<never>) => Promise<unknown>): Promise<void> {
  const reached = new Error('the arguments have been read');
  try {
    await command(() => Promise.reject(reached));
  } catch (error) {
    if (error !== reached) {
      throw error;
    }
  }
}

/**
 * @param words as the shell hands them to npm: `run --silent send -- --payments 5`
 * @throws when there is no such script, or it would refuse its arguments
 */
export async function readAsNpmRun(words: readonly string[], scripts: Readonly<Record<string, string>>) {
  const [verb = '', ...rest] = words.filter((word, index) => word !== '--silent' || index > 1);
  const name = verb === 'run' ? (rest.shift() ?? '') : verb;
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
