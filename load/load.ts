import { runCommand } from '../cli/terminal/explanation.ts';
import { runCommands } from '../cli/terminal/run-commands.ts';
import { interruption } from '../local/interruption.ts';
import { LOAD_TOOLS } from './tools.ts';

// `npm run load -- <connections | profile | soak | scenario> ...`
if (LOAD_TOOLS.commands.some(({ name }) => name === process.argv[2])) {
  let signal: AbortSignal | undefined;
  const interrupted = () => {
    signal ??= interruption((line) => process.stderr.write(`${line}\n`));
    return signal;
  };
  let exitCode: number | undefined;
  const endWith = (code: number) => {
    exitCode = code;
  };
  await runCommands(LOAD_TOOLS, () => ({ interrupted, endWith }), { signal: () => signal });
  process.exitCode = exitCode ?? process.exitCode;
} else {
  // Imported only here, because only a run needs Artillery.
  await runCommand(async (args) => (await import('./lab/run-load.ts')).runLoad(args));
}
