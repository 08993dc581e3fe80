import { runCommand } from '../local/explanation.ts';
import { tokenCommand } from '../operate/token-command.ts';
import { stageTokens } from '../operate/token-table.ts';

await runCommand((args) =>
  tokenCommand(args, {
    tokens: stageTokens,
    now: Date.now,
    print: (text) => process.stdout.write(text),
  }),
);
