import { parseArgs } from 'node:util';
import * as z from 'zod';
import { ExplainedError } from '../../local/explained-error.ts';

export const RUN_HELP = `Runs the pipeline in simulated worlds, one for each seed, and checks what it promises.

  npm run simulate -- [options]

  --runs N      how many worlds, 1 to 10000000 (default: 1000)
  --seed S      the first world's seed, 0 to 2147483647; the next world has the next (default: any)
  --minutes M   as many worlds as fit into M minutes, 0.1 to 10000, instead of a number of runs
  --help

Stops at the first world that breaks a promise: prints the smallest such world, its story,
and the command that runs it again.
`;

const number = (least: number, most: number, whole: boolean) =>
  z
    .string()
    .transform(Number)
    .refine(
      (value) => value >= least && value <= most && (!whole || Number.isInteger(value)),
      `must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}`,
    );

const optionsSchema = z.object({
  runs: number(1, 10_000_000, true).optional(),
  seed: number(0, 2_147_483_647, true).optional(),
  minutes: number(0.1, 10_000, false).optional(),
});

export interface RunOptions {
  readonly runs: number;
  /** Absent: any. */
  readonly seed?: number | undefined;
  /** Absent: as long as the runs take. */
  readonly minutes?: number | undefined;
}

/**
 * What was asked of the command; `help` when that was asked for.
 *
 * @throws ExplainedError, or Node's own error of `parseArgs`, naming each option at fault
 */
export function runOptions(args: string[]): RunOptions | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string' },
      seed: { type: 'string' },
      minutes: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    return 'help';
  }
  const options = optionsSchema.safeParse(values);
  if (!options.success) {
    const faults = options.error.issues.map(({ path, message }) => `--${path[0]?.toString()}: ${message}`);
    throw new ExplainedError(faults.join('\n'));
  }
  const { runs, seed, minutes } = options.data;
  if (runs !== undefined && minutes !== undefined) {
    throw new ExplainedError('--runs and --minutes: say one of them');
  }
  return { runs: runs ?? (minutes === undefined ? 1_000 : Number.POSITIVE_INFINITY), seed, minutes };
}
