import { runCommand } from '../local/explanation.ts';
import { stageAccess } from '../operate/stage-access.ts';
import { terminal } from '../operate/terminal.ts';
import { tokenCommand } from '../operate/token-command.ts';
import { stageTokens } from '../operate/token-table.ts';

await runCommand((args) =>
  tokenCommand(args, {
    tokens: stageTokens,
    operators: async (stage) => (await stageAccess(stage)).operators(),
    now: Date.now,
    print: terminal(args).print,
  }),
);
