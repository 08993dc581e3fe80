import { costCommand } from '../cli/operator/cost/cost-command.ts';
import { resourcesOf } from '../cli/operator/cost/template.ts';
import { runCommand } from '../cli/terminal/explanation.ts';
import { terminal } from '../cli/terminal/terminal.ts';

await runCommand(async (args) => {
  const { print } = terminal(args);
  costCommand(args, { print, resources: resourcesOf });
});
