import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../cli/terminal/explanation.ts';
import { InterruptedError, interruption } from '../local/interruption.ts';
import { readOutputs } from '../local/outputs.ts';
import { ALL_HELP, allCommand } from './lab/plan/all-command.ts';
import type { Meter } from './lab/plan/cell-run.ts';
import { type LoadSurroundings, loadCommand } from './lab/plan/load-command.ts';
import { runCell } from './lab/plan/run-cell.ts';
import { RUNS } from './lab/plan/run-directory.ts';
import { installArtillery } from './lab/scenario/artillery.ts';
import { givenOptions, type LoadOptionsGiven } from './lab/scenario/load-options.ts';
import { deployedLab } from './lab/stage/deployed-lab.ts';
import type { LabStage } from './lab/stage/lab-stage.ts';
import { localLab } from './lab/stage/local-lab.ts';
import { writeReport } from './report/report.ts';
import { writeIndex } from './report/run-index.ts';

const COST = join(import.meta.dirname, 'cost/cost-of-run.ts');

await runCommand(async (args) => {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const signal = interruption(() => say('Stopping: what there is is written, and the partners are removed'));
  const meter = await meterOf();
  try {
    const surroundings: LoadSurroundings = {
      stage: async (name) => (name === 'local' ? localLab(await readOutputs()) : deployedLab(name)),
      signal,
      install: (directory) => installArtillery(say, directory, signal),
      runCell,
      report: writeReports,
      ...(meter === undefined ? {} : { meter }),
      print: (text) => process.stdout.write(text),
      say,
    };
    const wanted = givenOptions(args);
    const isInterrupted =
      wanted.scenario === 'all'
        ? await all(wanted, surroundings)
        : (await loadCommand(args, surroundings))?.is_interrupted;
    process.exitCode = isInterrupted ? 130 : 0;
  } catch (error) {
    if (!(signal.reason instanceof InterruptedError) || error !== signal.reason) throw error;
    process.exitCode = 130;
  }
});

async function all(wanted: LoadOptionsGiven, surroundings: LoadSurroundings): Promise<boolean> {
  if (wanted.help) {
    surroundings.print(ALL_HELP);
    return false;
  }
  return (await allCommand(wanted, surroundings)).isInterrupted;
}

/** The report of a run, and the page of all of them. */
async function writeReports(directory: string): Promise<string> {
  const report = await writeReport(directory);
  await writeIndex(RUNS);
  return report;
}

/** What the deliveries cost, where the stage's functions meter themselves. */
async function meterOf(): Promise<((stage: LabStage) => Meter) | undefined> {
  if (!existsSync(COST)) return undefined;
  const { runMeter } = (await import(COST)) as { runMeter(stage: LabStage): Meter };
  return runMeter;
}
