import { runCommand } from '../local/explanation.ts';
import { circuitsCommand } from '../operate/circuits-command.ts';
import { terminal } from '../operate/terminal.ts';

await runCommand(async (args) => {
  if (!(await circuitsCommand(args, terminal(args)))) {
    process.exitCode = 1;
  }
});
