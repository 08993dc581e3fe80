import { interruption } from '../../local/interruption.ts';
import { readOutputs } from '../../local/outputs.ts';
import { type Bench, openBench } from './bench.ts';
import { profileWorker } from './functions/profile-worker.ts';
import { profileCalls } from './profile-calls.ts';
import { profileCost } from './profile-cost.ts';
import { PROFILE_HELP, type ProfileOptions, profileOptions } from './profile-options.ts';

const COMMANDS = {
  calls: profileCalls,
  cost: profileCost,
  deliver: (bench: Bench, options: ProfileOptions) => profileWorker(bench, options, 'deliver'),
  match: (bench: Bench, options: ProfileOptions) => profileWorker(bench, options, 'match'),
};

export async function profile(args: string[]): Promise<void> {
  const options = profileOptions(args);
  if (options === 'help') {
    process.stdout.write(PROFILE_HELP);
    return;
  }
  const signal = interruption((line) => process.stderr.write(`${line}\n`));
  const bench = await openBench(await readOutputs());
  const interrupted = new Promise<never>((_, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp);
  });
  try {
    process.stdout.write(await Promise.race([COMMANDS[options.what](bench, options), interrupted]));
  } catch (error) {
    if (!signal.aborted) throw error;
    process.exitCode = 130;
  } finally {
    await bench.close();
  }
}
