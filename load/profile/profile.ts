import { readOutputs } from '../../cli/stage/local-outputs.ts';
import { type Bench, openBench } from './bench.ts';
import { profileWorker } from './functions/profile-worker.ts';
import { profileCalls } from './profile-calls.ts';
import { profileCost } from './profile-cost.ts';
import type { ProfileOptions } from './profile-options.ts';

const COMMANDS = {
  calls: profileCalls,
  cost: profileCost,
  deliver: (bench: Bench, options: ProfileOptions) => profileWorker(bench, options, 'deliver'),
  match: (bench: Bench, options: ProfileOptions) => profileWorker(bench, options, 'match'),
};

/** Rejects with the reason of an abort. */
export async function profile(options: ProfileOptions, signal: AbortSignal): Promise<void> {
  const bench = await openBench(await readOutputs(), options);
  const interrupted = new Promise<never>((_, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp);
  });
  try {
    process.stdout.write(await Promise.race([COMMANDS[options.what](bench, options), interrupted]));
  } finally {
    await bench.close();
  }
}
