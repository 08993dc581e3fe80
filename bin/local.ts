import { runCommands } from '../cli/terminal/run-commands.ts';
import { LOCAL } from '../local/local-command.ts';

export async function runLocal(args: readonly string[]): Promise<void> {
  await runCommands(LOCAL, () => ({}), { args });
}
