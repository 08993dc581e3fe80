import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ExplainedError } from '../../cli/terminal/explained-error.ts';
import { readRun } from '../results/read-run.ts';
import { type ComparedRun, comparisonPage } from './comparison.ts';

/**
 * Writes `compare-<a>-<b>.html` into the folder of the two runs.
 *
 * @param ids names of the run folders; of a path, the last part counts
 * @returns the path of the page
 * @throws ExplainedError naming the known runs when one is unknown, or the reason when one is unreadable
 */
export async function writeComparison(folder: string, ids: readonly [a: string, b: string]): Promise<string> {
  const [a, b] = await Promise.all([runNamed(folder, basename(ids[0])), runNamed(folder, basename(ids[1]))]);
  if (a.folder === b.folder) {
    throw new ExplainedError('Name two different runs: comparing a run with itself says nothing');
  }
  const path = join(folder, `compare-${a.folder}-${b.folder}.html`);
  await writeFile(path, await comparisonPage(a, b));
  return path;
}

async function runNamed(folder: string, id: string): Promise<ComparedRun> {
  const known = await knownRuns(folder);
  if (!known.includes(id)) {
    const names =
      known.length > 0
        ? `the runs are:\n${known.map((name) => `  ${name}`).join('\n')}`
        : 'there are no runs yet';
    throw new ExplainedError(`There is no run ${JSON.stringify(id)}; ${names}`);
  }
  const run = await readRun(join(folder, id));
  if (run.kind !== 'run') {
    throw new ExplainedError(`${id} ${run.reason}`);
  }
  return run;
}

async function knownRuns(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
