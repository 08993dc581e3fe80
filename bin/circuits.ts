import { circuitsCommand } from '../cli/operator/circuits/circuits-command.ts';
import { runCommand } from '../cli/terminal/explanation.ts';
import { terminal } from '../cli/terminal/terminal.ts';

await runCommand(async (args) => {
  if (!(await circuitsCommand(args, terminal(args)))) {
    process.exitCode = 1;
  }
});
