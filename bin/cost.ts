import { runCommand } from '../local/explanation.ts';
import { costCommand } from '../operate/cost/cost-command.ts';
import { resourcesOf } from '../operate/cost/template.ts';
import { terminal } from '../operate/terminal.ts';

await runCommand(async (args) => {
  const { print } = terminal(args);
  costCommand(args, { print, resources: resourcesOf });
});
