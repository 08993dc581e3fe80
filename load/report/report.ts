import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repetition, RunResult, Spread } from '../results/run-result.ts';
import { html, type Markup, raw } from './html.ts';
import { judge, OUTCOME_SIGNS } from './judgement.ts';
import { writtenAs } from './numbers.ts';
import { matrixSection } from './sections/matrix.ts';
import { overTimeSection } from './sections/over-time.ts';
import { beside, conditions, heading, verdictLine } from './sections/overview.ts';
import { groupsSection, isolationSection, percentilesSection } from './sections/percentiles.ts';
import { attemptsSection, costSection, workSection } from './sections/shares.ts';

/** Writes `report.html` into the folder of a run; returns its path. */
export async function writeReport(directory: string, result: RunResult): Promise<string> {
  const path = join(directory, 'report.html');
  await writeFile(path, await reportPage(result));
  return path;
}

export async function reportPage(result: RunResult): Promise<string> {
  return page(
    `${result.title} · ${result.run_id}`,
    html`${heading(result)}
${verdictLine(result)}
${beside(result)}
${conditions(result)}
${repetitionsSection(result)}
${await overTimeSection(result)}
${percentilesSection(result)}
${await matrixSection(result)}
${isolationSection(result)}
${groupsSection(result)}
${attemptsSection(result)}
${costSection(result)}
${workSection(result)}
<footer>Run ${result.run_id} · <a href="result.json">result as JSON</a></footer>`,
  );
}

const STYLE = ['../../console/style/common.css', ...['page', 'tables'].map((name) => `style/${name}.css`)]
  .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  .join('\n');

/** A self-contained page: no script, font or image, and a policy that forbids loading any. */
export function page(title: string, body: Markup): string {
  return `<!doctype html>\n${html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body><main>
${body}
</main></body>
</html>`}\n`;
}

/** Repeated runs: the median, range and values of each figure. */
function repetitionsSection({ repetitions = [], spread = [] }: RunResult): Markup {
  if (repetitions.length === 0) return html``;
  return html`<section><h2>${repetitions.length} repetitions</h2>
<p class="lead">Every number on this page is their median, except promises and attempts, which add up all of them.</p>
<div class="scroll"><table class="numbers"><thead><tr><td></td><th scope="col">median</th><th scope="col">min</th><th scope="col">max</th>${repetitions.map(
    (_, index) => html`<th scope="col">${index + 1}</th>`,
  )}</tr></thead>
<tbody><tr><th scope="row">outcome</th><td colspan="3"></td>${repetitions.map(outcomeCell)}</tr>${spread.map(spreadRow)}</tbody></table></div></section>`;
}

function outcomeCell(one: Repetition): Markup {
  const { outcome } = judge(one);
  return html`<td>${OUTCOME_SIGNS[outcome]} ${outcome}</td>`;
}

function spreadRow({ name, unit, median, least: min, most: max, each }: Spread): Markup {
  const write = writtenAs[unit];
  return html`<tr><th scope="row">${name}</th><td><strong>${write(median)}</strong></td><td>${write(min)}</td><td>${write(max)}</td>${each.map(
    (value) => html`<td>${value === null ? html`<span class="none">none</span>` : write(value)}</td>`,
  )}</tr>`;
}
