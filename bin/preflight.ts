import pc from 'picocolors';
import { explanation } from '../local/explanation.ts';
import { interruption } from '../local/interruption.ts';
import { printableError } from '../local/printable.ts';
import { stageInAccount } from '../operate/doctor/examined-stage.ts';
import { preflightCommand } from '../operate/preflight/preflight-command.ts';
import { terminal } from '../operate/terminal.ts';

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
