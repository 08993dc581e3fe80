import { runCommands } from '../cli/terminal/run-commands.ts';
import { LOCAL } from '../local/local-command.ts';

await runCommands(LOCAL, () => ({}));
