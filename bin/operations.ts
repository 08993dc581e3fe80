import { runCommand } from '../local/explanation.ts';
import { operationsCommand } from '../operate/operations-command.ts';
import { terminal } from '../operate/terminal.ts';

await runCommand((args) => operationsCommand(args, terminal(args)));
