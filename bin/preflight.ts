import pc from 'picocolors';
import { stageInAccount } from '../cli/operator/doctor/examined-stage.ts';
import { preflightCommand } from '../cli/operator/preflight/preflight-command.ts';
import { explanation } from '../cli/terminal/explanation.ts';
import { printableError } from '../cli/terminal/printable.ts';
import { terminal } from '../cli/terminal/terminal.ts';
import { interruption } from '../local/interruption.ts';

/** Not 1, which says that something is missing. */
const COULD_NOT_BE_RUN = 2;

const args = process.argv.slice(2);
const signal = interruption(() => {});
try {
  const isWell = await preflightCommand(args, {
    ...terminal(args),
    colors: pc.createColors(pc.isColorSupported && process.stdout.isTTY),
    stage: (name) => stageInAccount(name, { signal }),
  });
  process.exitCode = isWell ? 0 : 1;
} catch (error) {
  process.exitCode = COULD_NOT_BE_RUN;
  if (!signal.aborted) {
    console.error(printableError(explanation(error) ?? error));
  }
}
