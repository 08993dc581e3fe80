import { readOutputs } from '../../cli/stage/local-outputs.ts';
import { openBench } from './bench.ts';
import { profileCost } from './profile-cost.ts';
import { profileDeliver } from './profile-deliver.ts';
import type { ProfileOptions } from './profile-options.ts';

const COMMANDS = { cost: profileCost, deliver: profileDeliver };

/** Rejects with the reason of an abort. */
export async function profile(options: ProfileOptions, signal: AbortSignal): Promise<void> {
  const bench = await openBench(await readOutputs());
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
