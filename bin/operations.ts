import { operationsCommand } from '../cli/operator/trail/operations-command.ts';
import { runCommand } from '../cli/terminal/explanation.ts';
import { terminal } from '../cli/terminal/terminal.ts';

await runCommand((args) => operationsCommand(args, terminal(args)));
