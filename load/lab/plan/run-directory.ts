import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT } from '../../../lib/project-paths.ts';
import type { RunResult } from '../../results/run-result.ts';

export const RUNS = join(PROJECT, 'load-runs');

interface RunDirectory {
  readonly runId: string;
  readonly path: string;
  writeResult(result: RunResult): Promise<void>;
}

/** A new directory for a run, named by time, so that names sort. */
export async function runDirectory(scenario: string, now: Date, runs = RUNS): Promise<RunDirectory> {
  const runId = `${now.toISOString().replace(/[-:.Z]/g, '')}-${scenario}`;
  const path = join(runs, runId);
  await mkdir(path, { recursive: true });
  return {
    runId,
    path,
    async writeResult(result) {
      await writeFile(join(path, 'result.json'), `${JSON.stringify(result, undefined, 2)}\n`);
    },
  };
}
