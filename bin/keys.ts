import { stuckCommand } from '../cli/operator/blocked/blocked-command.ts';
import { runCommand } from '../cli/terminal/explanation.ts';
import { terminal } from '../cli/terminal/terminal.ts';

await runCommand(async (args) => {
  if (!(await stuckCommand(args, terminal(args)))) {
    process.exitCode = 1;
  }
});
