import pc from 'picocolors';
import { explanation } from '../local/explanation.ts';
import { interruption } from '../local/interruption.ts';
import { printableError } from '../local/printable.ts';
import { doctorCommand } from '../operate/doctor/doctor-command.ts';
import { examinedStage } from '../operate/doctor/examined-stage.ts';
import { refusalIn, remedyOf } from '../operate/doctor/refusal.ts';
import { terminal } from '../operate/terminal.ts';

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
