import * as z from 'zod';
import { commandOptions, numberOption } from '../../cli/terminal/command-options.ts';
import { ExplainedError } from '../../cli/terminal/explained-error.ts';

export const RUN_HELP = `Runs the pipeline in simulated worlds, one per seed, and checks its promises.

  npm run simulate -- [options]

  --runs N      how many worlds, 1 to 10000000 (default: 1000)
  --seed S      the first world's seed, 0 to 2147483647; the next world has the next (default: any)
  --minutes M   as many worlds as fit into M minutes, 0.1 to 10000, instead of --runs
  --help

Stops at the first world that breaks a promise, shrinks it, and prints it with its event log and the
command that replays it.
`;

const optionsSchema = z.object({
  runs: numberOption(1, 10_000_000, { whole: true }).optional(),
  seed: numberOption(0, 2_147_483_647, { whole: true }).optional(),
  minutes: numberOption(0.1, 10_000, { whole: false }).optional(),
});

export interface RunOptions {
  readonly runs: number;
  /** Absent: any. */
  readonly seed?: number | undefined;
  /** Absent: as long as the runs take. */
  readonly minutes?: number | undefined;
}

/** @throws ExplainedError, or Node's own error of `parseArgs`, naming each option at fault */
export function runOptions(args: string[]): RunOptions | 'help' {
  const options = commandOptions(
    args,
    { runs: undefined, seed: undefined, minutes: undefined },
    optionsSchema,
  );
  if (options === 'help') {
    return 'help';
  }
  const { runs, seed, minutes } = options;
  if (runs !== undefined && minutes !== undefined) {
    throw new ExplainedError('--runs and --minutes: give only one of them');
  }
  return { runs: runs ?? (minutes === undefined ? 1_000 : Number.POSITIVE_INFINITY), seed, minutes };
}
