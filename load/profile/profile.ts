import { runCommand } from '../../cli/terminal/explanation.ts';
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

await runCommand(async (args) => {
  const options = profileOptions(args);
  if (options === 'help') {
    process.stdout.write(PROFILE_HELP);
    return;
  }
  const signal = interruption((line) => process.stderr.write(`${line}\n`));
  const bench = await openBench(await readOutputs());
  const stopped = new Promise<never>((_, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp);
  });
  try {
    const text = await Promise.race([COMMANDS[options.what](bench, options), stopped]);
    process.stdout.write(text);
  } catch (error) {
    if (!signal.aborted) throw error;
    process.exitCode = 130;
  } finally {
    await bench.close();
  }
});
