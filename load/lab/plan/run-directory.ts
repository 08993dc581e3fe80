import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { PROJECT } from '../../../lib/project-paths.ts';
import type { RunResult } from '../../results/run-result.ts';
import type { Findings } from '../findings/findings.ts';
import type { Cell, CellStore } from './cells.ts';

export const RUNS = join(PROJECT, 'load-runs');

/** Identifies a run: the same plan again continues an interrupted run. */
interface Plan {
  readonly scenario: string;
  readonly stage: string;
  readonly parameters: object;
  readonly axes: object;
  /** Repetitions; absent: one. */
  readonly repeat?: number;
}

interface RunDirectory {
  readonly runId: string;
  readonly path: string;
  /** Whether it continues an interrupted run of the same plan. */
  readonly isResumed: boolean;
  readonly cells: CellStore;
  writeResult(result: RunResult): Promise<string>;
}

/**
 * A new directory for a run. A plan with several cells or repetitions reuses that of its last run when it was
 * interrupted.
 */
export async function runDirectory(plan: Plan, now: Date, runs = RUNS): Promise<RunDirectory> {
  const hasParts = Object.keys(plan.axes).length > 0 || plan.repeat !== undefined;
  const resumable = hasParts ? await unfinished(plan, runs) : undefined;
  const runId = resumable ?? (await newRun(plan.scenario, now.getTime(), runs));
  const path = join(runs, runId);
  await mkdir(join(path, 'cells'), { recursive: true });
  await writeFile(join(path, 'plan.json'), `${JSON.stringify(plan, undefined, 2)}\n`);
  const cellFile = ({ name }: Cell, round: number) => {
    const file = name.replaceAll(/[^a-z0-9]+/g, '-');
    return join(path, 'cells', round === 1 ? `${file}.json` : `${file}-round-${round}.json`);
  };
  return {
    runId,
    path,
    isResumed: resumable !== undefined,
    cells: {
      find: (cell, round) => readJson<Findings>(cellFile(cell, round)),
      keep: (cell, round, findings) => writeWhole(cellFile(cell, round), findings),
    },
    async writeResult(result) {
      const file = join(path, 'result.json');
      await writeWhole(file, result);
      return file;
    },
  };
}

/** Named by time, so that names sort. Two runs in the same millisecond get different names. */
async function newRun(scenario: string, nowMs: number, runs: string): Promise<string> {
  await mkdir(runs, { recursive: true });
  const time = new Date(nowMs).toISOString().replace(/[-:.Z]/g, '');
  const runId = `${time}-${scenario}`;
  try {
    await mkdir(join(runs, runId));
    return runId;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return newRun(scenario, nowMs + 1, runs);
  }
}

async function unfinished(plan: Plan, runs: string): Promise<string | undefined> {
  const names = await readdir(runs).catch(() => []);
  for (const name of names
    .filter((name) => name.endsWith(`-${plan.scenario}`))
    .sort()
    .reverse()) {
    const known = await readJson<Plan>(join(runs, name, 'plan.json'));
    if (isDeepStrictEqual(known, JSON.parse(JSON.stringify(plan)))) {
      const result = await readJson<RunResult>(join(runs, name, 'result.json'));
      return result === undefined || result.is_interrupted ? name : undefined;
    }
  }
  return undefined;
}

async function readJson<T>(file: string): Promise<T | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/** Atomic: readers never see half a file. */
async function writeWhole(file: string, value: object): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify(value, undefined, 2)}\n`);
  await rename(unfinished, file);
}
