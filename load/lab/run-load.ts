import { InterruptedError, interruption } from '../../local/interruption.ts';
import { readOutputs } from '../../local/outputs.ts';
import { runMeter } from '../cost/cost-of-run.ts';
import { writeReport } from '../report/report.ts';
import { writeIndex } from '../report/run-index.ts';
import { ALL_HELP, allCommand } from './plan/all-command.ts';
import { type LoadSurroundings, loadCommand } from './plan/load-command.ts';
import { runCell } from './plan/run-cell.ts';
import { RUNS } from './plan/run-directory.ts';
import { installArtillery } from './scenario/artillery.ts';
import { givenOptions } from './scenario/load-options.ts';
import { deployedLab } from './stage/deployed-lab.ts';
import { localLab } from './stage/local-lab.ts';

/** Runs one scenario, or all of them. The exit code is 130 when the run was interrupted. */
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
    process.exitCode = (await isInterrupted(args, surroundings)) ? 130 : 0;
  } catch (error) {
    if (!(signal.reason instanceof InterruptedError) || error !== signal.reason) throw error;
    process.exitCode = 130;
  }
}

async function isInterrupted(args: string[], surroundings: LoadSurroundings): Promise<boolean | undefined> {
  const options = givenOptions(args);
  if (options.scenario !== 'all') return (await loadCommand(args, surroundings))?.is_interrupted;
  if (!options.help) return (await allCommand(options, surroundings)).isInterrupted;
  surroundings.print(ALL_HELP);
  return false;
}
