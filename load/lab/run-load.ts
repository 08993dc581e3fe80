import { readOutputs } from '../../cli/stage/local-outputs.ts';
import { InterruptedError, interruption } from '../../local/interruption.ts';
import { runMeter } from '../cost/cost-of-run.ts';
import { writeReport } from '../report/report.ts';
import { EXIT_CODES } from '../results/outcome.ts';
import { loadCommand } from './plan/load-command.ts';
import { runCell } from './plan/run-cell.ts';
import { deployedLab } from './stage/deployed-lab.ts';
import { localLab } from './stage/local-lab.ts';

/** Runs a scenario, and sets the exit code: by outcome, or 130 after an interruption. */
export async function runLoad(args: string[]): Promise<void> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const signal = interruption(() => say('Stopping: writing the results so far and removing the partners'));
  try {
    const result = await loadCommand(args, {
      stage: async (name) => (name === 'local' ? localLab(await readOutputs()) : deployedLab(name)),
      signal,
      runCell,
      report: writeReport,
      meter: runMeter,
      print: (text) => process.stdout.write(text),
      say,
    });
    const outcome = result?.outcome ?? 'passed';
    // What has failed by then says so.
    process.exitCode = result?.is_interrupted && outcome !== 'failed' ? 130 : EXIT_CODES[outcome];
  } catch (error) {
    if (!(signal.reason instanceof InterruptedError) || error !== signal.reason) throw error;
    process.exitCode = 130;
  }
}
