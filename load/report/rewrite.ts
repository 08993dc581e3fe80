import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRun } from '../results/read-run.ts';
import { writeReport } from './report.ts';
import { writeIndex } from './run-index.ts';

/**
 * Rewrites the report of every run in the folder from its stored result, and the page that lists the runs.
 *
 * @returns a line for each run, and the path of the page last
 */
export async function rewriteReports(folder: string): Promise<string[]> {
  const index = await writeIndex(folder);
  const lines: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const { name } of entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))) {
    const directory = join(folder, name);
    const run = await readRun(directory);
    lines.push(run.kind === 'run' ? await writeReport(directory) : `${directory} ${run.reason}`);
  }
  return [...lines, index];
}
