import { redriveCommand } from '../cli/operator/redrive/redrive-command.ts';
import { runCommand } from '../cli/terminal/explanation.ts';
import { terminal } from '../cli/terminal/terminal.ts';

await runCommand(async (args) => {
  if (!(await redriveCommand(args, terminal(args)))) {
    process.exitCode = 1;
  }
});
