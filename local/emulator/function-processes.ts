import { join } from 'node:path';
import { writeWorkerRuntime } from '#code';

/** Busy functions (docs/adr/0025), those of the load lab, and the invocations per process. */
const SIDE_BY_SIDE = {
  SIDE_BY_SIDE_FUNCTIONS: 'match,deliver,wake,statistics,api,authorize,receiver,load-relay,load-sink',
  SIDE_BY_SIDE_INVOCATIONS: '64',
};

/**
 * The environment with which the emulator runs many invocations of a function in one process.
 *
 * @param directory holds the processes' runtime
 */
export function sideBySideIn(directory: string): Readonly<Record<string, string>> {
  const outfile = join(directory, 'worker-runtime.mjs');
  writeWorkerRuntime(outfile);
  return { ...SIDE_BY_SIDE, SIDE_BY_SIDE_RUNTIME: outfile };
}

/**
 * V8 derives its limits from the machine's memory: with 24 GB, a function grows to twice its needs before V8
 * collects garbage. A smaller young generation costs at most 5% CPU; 512 MiB is deliver's memory on Lambda.
 */
export const SMALL_HEAPS = {
  NODE_OPTIONS: '--max-semi-space-size=8 --max-old-space-size=512',
  // glibc keeps arenas for several threads, and rarely returns their memory.
  MALLOC_ARENA_MAX: '2',
};
