import { readOutputs } from '../../cli/stage/local-outputs.ts';
import { InterruptedError, interruption } from '../../local/interruption.ts';
import { runMeter } from '../cost/cost-of-run.ts';
import { writeReport } from '../report/report.ts';
import { writeIndex } from '../report/run-index.ts';
import { EXIT_CODES } from '../results/outcome.ts';
import { ALL_HELP, allCommand, type Ended } from './plan/all-command.ts';
import { type LoadSurroundings, loadCommand } from './plan/load-command.ts';
import { runCell } from './plan/run-cell.ts';
import { RUNS } from './plan/run-directory.ts';
import { installArtillery } from './scenario/artillery.ts';
import { givenOptions } from './scenario/load-options.ts';
import { deployedLab } from './stage/deployed-lab.ts';
import { localLab } from './stage/local-lab.ts';

/** Runs one scenario, or all of them, and sets the exit code: by outcome, or 130 after an interruption. */
export async function runLoad(args: string[]): Promise<void> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const signal = interruption(() => say('Stopping: writing the results so far and removing the partners'));
  const surroundings: LoadSurroundings = {
    stage: async (name) => (name === 'local' ? localLab(await readOutputs()) : deployedLab(name)),
    signal,
    install: (directory) => installArtillery(say, directory, signal),
    runCell,
    async report(directory) {
      const report = await writeReport(directory);
      await writeIndex(RUNS);
      return report;
    },
    meter: runMeter,
    print: (text) => process.stdout.write(text),
    say,
  };
  try {
    const ended = await outcomeOf(args, surroundings);
    // What has failed by then says so.
    process.exitCode = ended.isInterrupted && ended.outcome !== 'failed' ? 130 : EXIT_CODES[ended.outcome];
  } catch (error) {
    if (!(signal.reason instanceof InterruptedError) || error !== signal.reason) throw error;
    process.exitCode = 130;
  }
}

async function outcomeOf(args: string[], surroundings: LoadSurroundings): Promise<Ended> {
  const options = givenOptions(args);
  if (options.scenario !== 'all') {
    const result = await loadCommand(args, surroundings);
    return { outcome: result?.outcome ?? 'passed', isInterrupted: result?.is_interrupted === true };
  }
  if (!options.help) return allCommand(options, surroundings);
  surroundings.print(ALL_HELP);
  return { outcome: 'passed', isInterrupted: false };
}
