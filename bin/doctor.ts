import pc from 'picocolors';
import { doctorCommand } from '../cli/operator/doctor/doctor-command.ts';
import { examinedStage } from '../cli/operator/doctor/examined-stage.ts';
import { refusalIn, remedyOf } from '../cli/operator/doctor/permissions/refusal.ts';
import { explanation } from '../cli/terminal/explanation.ts';
import { printableError } from '../cli/terminal/printable.ts';
import { terminal } from '../cli/terminal/terminal.ts';
import { interruption } from '../local/interruption.ts';

/** Not 1, which says that something of the stage has failed. */
const COULD_NOT_BE_RUN = 2;

const args = process.argv.slice(2);
const signal = interruption(() => {});
try {
  const isWell = await doctorCommand(args, {
    ...terminal(args),
    colors: pc.createColors(pc.isColorSupported && process.stdout.isTTY),
    stage: (name) => examinedStage(name, { signal }),
  });
  process.exitCode = isWell ? 0 : 1;
} catch (error) {
  process.exitCode = COULD_NOT_BE_RUN;
  if (!signal.aborted) {
    const refusal = refusalIn(error);
    console.error(printableError(explanation(error) ?? error));
    if (refusal !== undefined) {
      console.error(printableError(remedyOf(refusal)));
    }
  }
}
