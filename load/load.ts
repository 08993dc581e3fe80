import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../local/explanation.ts';
import { InterruptedError, interruption } from '../local/interruption.ts';
import { readOutputs } from '../local/outputs.ts';
import { ALL_HELP, allCommand } from './lab/all-command.ts';
import { installArtillery } from './lab/artillery.ts';
import type { Meter } from './lab/cell-run.ts';
import { deployedLab } from './lab/deployed-lab.ts';
import type { LabStage } from './lab/lab-stage.ts';
import { type LoadSurroundings, loadCommand } from './lab/load-command.ts';
import { type Wish, wishOf } from './lab/load-options.ts';
import { localLab } from './lab/local-lab.ts';
import { runCell } from './lab/run-cell.ts';
import { RUNS } from './lab/run-directory.ts';
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
    const wish = wishOf(args);
    const isInterrupted =
      wish.scenario === 'all'
        ? await all(wish, surroundings)
        : (await loadCommand(args, surroundings))?.is_interrupted;
    process.exitCode = isInterrupted ? 130 : 0;
  } catch (error) {
    if (!(signal.reason instanceof InterruptedError) || error !== signal.reason) throw error;
    process.exitCode = 130;
  }
});

async function all(wish: Wish, surroundings: LoadSurroundings): Promise<boolean> {
  if (wish.help) {
    surroundings.print(ALL_HELP);
    return false;
  }
  return (await allCommand(wish, surroundings)).isInterrupted;
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
