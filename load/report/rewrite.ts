import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { commandOptions } from '../../cli/terminal/command-options.ts';
import { RUNS } from '../lab/plan/run-directory.ts';
import { readRun } from '../results/read-run.ts';
import { writeReport } from './report.ts';
import { writeIndex } from './run-index.ts';

const HELP = `Rewrites the report of every load run from its stored result, and the page that lists the runs.

  npm run load -- report [--folder FOLDER]

  --folder FOLDER  where the runs are (default: load-runs)
  --help
`;

export async function rewriteReports(args: string[]): Promise<void> {
  const options = commandOptions(args, { folder: RUNS }, z.object({ folder: z.string() }));
  if (options === 'help') {
    process.stdout.write(HELP);
    return;
  }
  const index = await writeIndex(options.folder);
  const entries = await readdir(options.folder, { withFileTypes: true });
  for (const { name } of entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))) {
    const directory = join(options.folder, name);
    const run = await readRun(directory);
    process.stdout.write(
      run.kind === 'run' ? `${await writeReport(directory)}\n` : `${directory} ${run.reason}\n`,
    );
  }
  process.stdout.write(`${index}\n`);
}
