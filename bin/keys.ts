import { runCommand } from '../local/explanation.ts';
import { keysCommand } from '../operate/keys-command.ts';
import { terminal } from '../operate/terminal.ts';

await runCommand(async (args) => {
  if (!(await keysCommand(args, terminal(args)))) {
    process.exitCode = 1;
  }
});
