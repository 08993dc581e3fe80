import { personalDataCommand } from '../cli/operator/personal-data/personal-data-command.ts';
import { runCommand } from '../cli/terminal/explanation.ts';
import { terminal } from '../cli/terminal/terminal.ts';

await runCommand(async (args) => {
  if (!(await personalDataCommand(args, terminal(args)))) {
    process.exitCode = 1;
  }
});
