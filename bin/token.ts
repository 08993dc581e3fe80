import { tokenCommand } from '../cli/operator/token/token-command.ts';
import { stageTokens } from '../cli/operator/token/token-table.ts';
import { stageAccess } from '../cli/stage/stage-access.ts';
import { runCommand } from '../cli/terminal/explanation.ts';
import { terminal } from '../cli/terminal/terminal.ts';

await runCommand((args) =>
  tokenCommand(args, {
    tokens: stageTokens,
    operators: async (stage) => (await stageAccess(stage)).operators(),
    now: Date.now,
    print: terminal(args).print,
  }),
);
