import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../local/explanation.ts';
import { InterruptedError, interruption } from '../local/interruption.ts';
import { readOutputs } from '../local/outputs.ts';
import { installArtillery } from './lab/artillery.ts';
import { deployedLab } from './lab/deployed-lab.ts';
import { loadCommand } from './lab/load-command.ts';
import { localLab } from './lab/local-lab.ts';
import { runCell } from './lab/run-cell.ts';

const REPORT = join(import.meta.dirname, 'report/report.ts');

await runCommand(async (args) => {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const signal = interruption(() => say('Stopping: what there is is written, and the partners are removed'));
  try {
    const result = await loadCommand(args, {
      stage: async (name) => (name === 'local' ? localLab(await readOutputs()) : deployedLab(name)),
      signal,
      install: (directory) => installArtillery(say, directory, signal),
      runCell,
      report: writeReport,
      print: (text) => process.stdout.write(text),
      say,
    });
    process.exitCode = result?.is_interrupted ? 130 : 0;
  } catch (error) {
    if (!(signal.reason instanceof InterruptedError) || error !== signal.reason) throw error;
    process.exitCode = 130;
  }
});

/** Lazily: who only asks for help needs none of it. */
async function writeReport(directory: string): Promise<string | undefined> {
  if (!existsSync(REPORT)) return undefined;
  const { writeReport } = (await import(REPORT)) as { writeReport(directory: string): Promise<string> };
  return writeReport(directory);
}
