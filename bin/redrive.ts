import { runCommand } from '../local/explanation.ts';
import { redriveCommand } from '../operate/redrive-command.ts';
import { terminal } from '../operate/terminal.ts';

await runCommand(async (args) => {
  if (!(await redriveCommand(args, terminal(args)))) {
    process.exitCode = 1;
  }
});
