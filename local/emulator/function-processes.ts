import { join } from 'node:path';
import { build, stop } from 'esbuild';

/** Those that docs/adr/0025 is about, and those of the load lab; and how many invocations a process may have. */
const SIDE_BY_SIDE = {
  SIDE_BY_SIDE_FUNCTIONS: 'Match,Deliver,Wake,Tally,Api,Authorize,Receiver,Relay,Note',
  SIDE_BY_SIDE_INVOCATIONS: '64',
};

/**
 * What the emulator has to know to run many invocations of a function in one process.
 *
 * @param directory for the runtime of these processes, with its types stripped: by itself each of them would do that, which takes 40 ms and 12 MB
 */
export async function sideBySideIn(directory: string): Promise<Readonly<Record<string, string>>> {
  const outfile = join(directory, 'worker-runtime.mjs');
  const entryPoints = [join(import.meta.dirname, 'worker-runtime.ts')];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm' });
  // Its service would stay as long as this process.
  await stop();
  return { ...SIDE_BY_SIDE, SIDE_BY_SIDE_RUNTIME: outfile };
}

/**
 * V8 takes its limits from the memory of the machine: on one with 24 GB a function grows to twice of what it needs before anything is collected. A smaller young
 * generation costs it a twentieth of its CPU at most; 512 MiB is what deliver has on Lambda.
 */
export const SMALL_HEAPS = {
  NODE_OPTIONS: '--max-semi-space-size=8 --max-old-space-size=512',
  // glibc has an arena for each of several threads, and rarely gives anything of them back.
  MALLOC_ARENA_MAX: '2',
};
