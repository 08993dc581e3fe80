import { runCommand } from '../cli/terminal/explanation.ts';
import { runCommands } from '../cli/terminal/run-commands.ts';
import { interruption } from '../local/interruption.ts';
import { LOAD_TOOLS } from './tools.ts';

// `npm run load -- <profile | scenario> ...`
if (LOAD_TOOLS.commands.some(({ name }) => name === process.argv[2])) {
  let signal: AbortSignal | undefined;
  const interrupted = () => {
    signal ??= interruption((line) => process.stderr.write(`${line}\n`));
    return signal;
  };
  await runCommands(LOAD_TOOLS, () => ({ interrupted }), { signal: () => signal });
} else {
  // Imported only here, because only a run needs Artillery.
  await runCommand(async (args) => (await import('./lab/run-load.ts')).runLoad(args));
}
