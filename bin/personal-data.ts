import { runCommand } from '../local/explanation.ts';
import { personalDataCommand } from '../operate/personal-data-command.ts';
import { terminal } from '../operate/terminal.ts';

await runCommand(async (args) => {
  if (!(await personalDataCommand(args, terminal(args)))) {
    process.exitCode = 1;
  }
});
