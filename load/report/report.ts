import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExplainedError } from '../../cli/terminal/explained-error.ts';
import { readRun } from '../results/read-run.ts';
import type { RunResult } from '../results/run-result.ts';
import { html } from './html.ts';
import { page } from './page.ts';
import { matrixSection } from './sections/matrix.ts';
import { overTimeSection } from './sections/over-time.ts';
import { beside, conditions, heading, keyFigures, verdictLine } from './sections/overview.ts';
import { groupsSection, isolationSection, percentilesSection } from './sections/percentiles.ts';
import { recoverySection } from './sections/recovery.ts';
import { repetitionsSection } from './sections/repetitions.ts';
import { attemptsSection, costSection, workSection } from './sections/shares.ts';

/**
 * Writes `report.html` beside the `result.json` of a run.
 *
 * @returns the path of the report
 * @throws ExplainedError when the folder holds no valid result
 */
export async function writeReport(directory: string): Promise<string> {
  const run = await readRun(directory);
  if (run.kind !== 'run') {
    throw new ExplainedError(`${directory} ${run.reason}`);
  }
  const path = join(directory, 'report.html');
  await writeFile(path, await reportPage(run.result));
  return path;
}

export async function reportPage(result: RunResult): Promise<string> {
  return page(
    `${result.title} · ${result.run_id}`,
    html`${heading(result)}
${verdictLine(result)}
${keyFigures(result)}
${beside(result)}
${conditions(result)}
${repetitionsSection(result)}
${recoverySection(result)}
${await overTimeSection(result)}
${await percentilesSection(result)}
${await matrixSection(result)}
${await isolationSection(result)}
${await groupsSection(result)}
${attemptsSection(result)}
${costSection(result)}
${workSection(result)}
<footer>Run ${result.run_id} · <a href="result.json">result as JSON</a></footer>`,
  );
}
