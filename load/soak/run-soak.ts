import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCAL_DIRECTORY } from '../../lib/project-paths.ts';
import { startLocalStack } from '../../local/local-stack.ts';
import { RUNS } from '../lab/plan/run-directory.ts';
import { type SoakOptions, type SoakResult, soak } from './soak.ts';
import { soakPage } from './soak-page.ts';

interface Surroundings {
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Soaks a stack of its own, and writes the result and a report. Nothing is left running. */
export async function runSoak(
  options: SoakOptions,
  { say, signal }: Surroundings,
): Promise<{ readonly result: SoakResult; readonly folder: string }> {
  say(`Seed ${options.seed}`);
  const directory = join(LOCAL_DIRECTORY, `soak-${process.pid}`);
  let outcome: SoakResult['outcome'] | undefined;
  const stack = await startLocalStack({
    port: 0,
    directory,
    slowStore: true,
    warm: true,
    log: say,
    signal,
  });
  try {
    const result = await soak(stack, options, { say, signal });
    outcome = result.outcome;
    const folder = join(RUNS, `soak-${options.seed}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'result.json'), `${JSON.stringify(result, undefined, 2)}\n`);
    await writeFile(join(folder, 'report.html'), await soakPage(result));
    return { result, folder };
  } finally {
    await stack.stop();
    // The logs explain whatever did not pass.
    if (outcome === 'passed') await rm(directory, { recursive: true, force: true });
  }
}
