import { once } from 'node:events';
import { join } from 'node:path';
import pc from 'picocolors';
import { ExplainedError } from '../cli/terminal/explained-error.ts';
import { runCommand } from '../cli/terminal/explanation.ts';
import { howToBegin } from '../cli/terminal/how-to-begin.ts';
import { showDemo } from '../local/demo.ts';
import { InterruptedError, interruption } from '../local/interruption.ts';
import { LOCAL_HELP, localOptions, refuseOtherNode } from '../local/local-options.ts';
import { type LocalStack, startLocalStack } from '../local/local-stack.ts';
import { STACK_DIRECTORY } from '../local/project-paths.ts';

const colors = pc.createColors(process.stdout.isTTY && process.env.NO_COLOR === undefined);

await runCommand(async (args) => {
  const options = localOptions(args);
  if (options === 'help') {
    process.stdout.write(LOCAL_HELP);
    return;
  }
  refuseOtherNode();
  const log = console.log;
  const signal = interruption(log);
  const startedAt = performance.now();
  try {
    const stack = await startLocalStack({
      port: options.port,
      slowStore: options['slow-store'],
      archive: options.archive,
      workers: options.workers,
      separateProcesses: options['separate-processes'],
      warm: true,
      directory: STACK_DIRECTORY,
      log,
      signal,
    });
    try {
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      log(colors.green(`ready after ${seconds} s: ${stack.outputsFile}`));
      if (!options.demo) {
        log(howToBegin(stack.outputs));
      }
      await Promise.race([
        emulatorEnded(stack),
        options.demo ? showDemo({ outputs: stack.outputs, colors, log, signal }) : aborted(signal),
      ]);
    } finally {
      await stack.stop();
    }
  } catch (error) {
    // After an interruption, other errors are its consequence.
    if (!(signal.reason instanceof InterruptedError)) {
      throw error;
    }
  }
  log('Stopped; nothing is left running');
});

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) {
    await once(signal, 'abort');
  }
}

async function emulatorEnded({ ended }: LocalStack): Promise<never> {
  await ended;
  throw new ExplainedError(`The emulator has ended. Its log: ${join(STACK_DIRECTORY, 'emulator.log')}`);
}
