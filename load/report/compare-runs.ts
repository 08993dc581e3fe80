import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ExplainedError } from '../../cli/terminal/explained-error.ts';
import { readRun } from '../results/read-run.ts';
import { type ComparedRun, comparisonPage } from './comparison.ts';

/**
 * Writes `compare-<a>-<b>.html` of two runs into the folder that they lie in.
 *
 * @param ids the names of the runs' folders; a path to one is taken by its last part
 * @returns the path of the page
 * @throws ExplainedError naming the known runs when one is not known, or why one cannot be read
 */
export async function writeComparison(folder: string, ids: readonly [a: string, b: string]): Promise<string> {
  const [a, b] = await Promise.all([runNamed(folder, basename(ids[0])), runNamed(folder, basename(ids[1]))]);
  if (a.folder === b.folder) {
    throw new ExplainedError('To compare a run with itself says nothing: name two different ones');
  }
  const path = join(folder, `compare-${a.folder}-${b.folder}.html`);
  await writeFile(path, comparisonPage(a, b));
  return path;
}

async function runNamed(folder: string, id: string): Promise<ComparedRun> {
  const known = await knownRuns(folder);
  if (!known.includes(id)) {
    const names =
      known.length > 0 ? `known are:\n${known.map((name) => `  ${name}`).join('\n')}` : 'there are none yet';
    throw new ExplainedError(`There is no run ${JSON.stringify(id)}; ${names}`);
  }
  const run = await readRun(join(folder, id));
  if (run.kind === 'unreadable') {
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
