import { runCommand } from '../local/explanation.ts';
import { restoreCommand } from '../operate/restore-command.ts';
import { terminal } from '../operate/terminal.ts';

await runCommand(async (args) => {
  if (!(await restoreCommand(args, terminal(args)))) {
    process.exitCode = 1;
  }
});
