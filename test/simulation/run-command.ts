import { randomInt } from 'node:crypto';
import { type CommandSet, commandsIn } from '../../cli/terminal/command.ts';
import { ExplainedError } from '../../cli/terminal/explanation.ts';
import { numberOption, wholeNumberOption } from '../../cli/terminal/option-kinds.ts';

const simulate = commandsIn<object>()({
  name: '',
  summary: 'Runs the pipeline in simulated worlds, one per seed, and checks its promises',
  example: '--seed 7 --runs 100',
  options: {
    runs: wholeNumberOption('how many worlds; 1000 if absent', 1, 10_000_000),
    seed: wholeNumberOption(
      "the first world's seed; the next world has the next; any if absent",
      0,
      2_147_483_647,
    ),
    minutes: numberOption('as many worlds as fit into this many minutes, instead of --runs', 0.1, 10_000),
  },
  remarks:
    'Stops at the first world that breaks a promise, shrinks it, and prints it with its event log and the command\n' +
    'that replays it. Besides: npm run simulate -- scale --help, npm run simulate -- mutate --help.',
  isTextOnly: true,
  check({ runs, minutes }) {
    if (runs !== undefined && minutes !== undefined) {
      throw new ExplainedError('--runs and --minutes: give only one of them');
    }
  },
  async run({ runs, seed = randomInt(1_000_000_000), minutes }) {
    const { runWorlds } = await import('./run-worlds.ts');
    return runWorlds({ runs: worldsFor(runs, minutes), seed, minutes: minutes ?? Number.POSITIVE_INFINITY });
  },
});

export const SIMULATE: CommandSet<object> = {
  script: 'npm run simulate --',
  summary: 'The simulation.',
  commands: [simulate],
};

/** How many worlds to run at most. */
export function worldsFor(runs: number | undefined, minutes: number | undefined): number {
  return runs ?? (minutes === undefined ? 1_000 : Number.POSITIVE_INFINITY);
}
