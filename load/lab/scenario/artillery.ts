import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT, searchPath } from '../../../lib/project-paths.ts';
import { explain, runLogged } from '../../../local/run-logged.ts';
import { GENERATOR_TASK, type GeneratorTask } from '../../artillery/link.ts';
import { sum } from '../../statistics/sum.ts';
import { fill } from './fill.ts';
import type { Parameters } from './parameters.ts';
import type { Scenario } from './scenario.ts';

const LOAD = join(PROJECT, 'load');
const ARTILLERY = join(LOAD, 'node_modules/artillery/bin/run');
const PROCESSOR = join(LOAD, 'artillery/processor.mjs');

/** Installed on first use: Artillery takes half a gigabyte, and only load runs need it. */
export async function installArtillery(say: (line: string) => void, directory: string, signal: AbortSignal) {
  if (existsSync(ARTILLERY)) return;
  say('Installing Artillery into load/node_modules (once; about 500 MB, a minute or two)');
  try {
    await runLogged({
      file: 'npm',
      args: ['ci', '--prefix', LOAD, '--no-audit', '--no-fund'],
      env: { ...process.env, PATH: searchPath(process.env) },
      logFile: join(directory, 'npm-ci.log'),
      signal,
    });
  } catch (error) {
    throw explain(error, 'Could not install Artillery:');
  }
}

/** The script that Artillery runs. */
export function artilleryScript({ artillery }: Pick<Scenario, 'artillery'>, parameters: Parameters) {
  const phases = fill(artillery.phases, parameters);
  const baseline = Number(parameters.baseline ?? 0);
  return {
    config: {
      // The HTTP engine runs the flow, but never requests this target.
      target: 'http://127.0.0.1:9',
      processor: PROCESSOR,
      // The baseline sends at the rate of the first phase.
      phases: [
        ...(baseline === 0 ? [] : [{ ...phases[0], name: 'baseline', duration: baseline }]),
        ...phases,
      ] as typeof phases,
    },
    scenarios: [{ flow: artillery.flow }],
  };
}
export type ArtilleryScript = ReturnType<typeof artilleryScript>;

/** Seconds of sending when nothing slows it down. */
export function plannedSeconds({ config: { phases } }: ArtilleryScript): number {
  return sum(phases.map(({ duration = 0, pause = 0 }) => Number(duration) + Number(pause)));
}

/** Payments that are due over all phases; users that start others in a loop start at least as many. */
export function plannedPayments({ config: { phases } }: ArtilleryScript): number {
  return sum(
    phases.map(({ duration = 0, arrivalRate = 0, arrivalCount }) =>
      Number(arrivalCount ?? Number(duration) * Number(arrivalRate)),
    ),
  );
}

/** Runs Artillery. Rejects when it fails or the signal is aborted. Only events leave this machine. */
export async function runArtillery(
  script: ArtilleryScript,
  task: GeneratorTask,
  given: {
    readonly directory: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const file = join(given.directory, `artillery-${task.run}.json`);
  await writeFile(file, `${JSON.stringify(script, undefined, 2)}\n`);
  try {
    await runLogged({
      file: process.execPath,
      args: [ARTILLERY, 'run', file],
      cwd: given.directory,
      env: {
        ...process.env,
        ...given.environment,
        PATH: searchPath(process.env),
        [GENERATOR_TASK]: JSON.stringify(task),
        ARTILLERY_DISABLE_TELEMETRY: 'true',
      },
      logFile: join(given.directory, 'artillery.log'),
      signal: given.signal,
    });
  } catch (error) {
    throw explain(error, 'Artillery failed:');
  }
}
