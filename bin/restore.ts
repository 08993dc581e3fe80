import { restoreCommand } from '../cli/operator/restore/restore-command.ts';
import { runCommand } from '../cli/terminal/explanation.ts';
import { terminal } from '../cli/terminal/terminal.ts';

await runCommand(async (args) => {
  if (!(await restoreCommand(args, terminal(args)))) {
    process.exitCode = 1;
  }
});
