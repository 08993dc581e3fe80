import * as z from 'zod';
import { commandOptions } from '../../cli/terminal/command-options.ts';
import { RUNS } from '../lab/plan/run-directory.ts';
import { writeComparison } from './compare-runs.ts';
import { writeIndex } from './run-index.ts';

const HELP = `Compares two load runs on one page, written beside them.

  npm run load -- compare <run> <run> [--folder FOLDER]

  <run>            the name of its folder in load-runs
  --folder FOLDER  where the runs are (default: load-runs)
  --help
`;

const optionsSchema = z.object({ first: z.string(), second: z.string(), folder: z.string() });

export async function compare(args: string[]): Promise<void> {
  const options = commandOptions(args, { folder: RUNS }, optionsSchema, ['first', 'second']);
  if (options === 'help') {
    process.stdout.write(HELP);
    return;
  }
  const path = await writeComparison(options.folder, [options.first, options.second]);
  await writeIndex(options.folder);
  process.stdout.write(`${path}\n`);
}
