import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExplainedError } from '../../cli/terminal/explained-error.ts';
import { type RunFolder, readRun } from '../results/read-run.ts';
import { html, type Markup } from './html.ts';
import { OUTCOME_SIGNS } from './judgement.ts';
import { page } from './page.ts';
import { runTable } from './run-table.ts';

/**
 * Writes `index.html`, which lists the runs and comparisons of a folder.
 *
 * @returns the path of the page
 * @throws ExplainedError when the folder does not exist
 */
export async function writeIndex(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new ExplainedError(
      `There is no folder ${folder}: the first load run creates it (npm run load -- simple)`,
    );
  });
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  const runs = await Promise.all(folders.map(({ name }) => readRun(join(folder, name))));
  const comparisons = entries.map(({ name }) => name).filter((name) => /^compare-.*\.html$/.test(name));
  const path = join(folder, 'index.html');
  await writeFile(path, indexPage(runs, comparisons));
  return path;
}

function indexPage(runs: readonly RunFolder[], comparisons: readonly string[]): string {
  const read = runs.filter((run) => run.kind === 'run');
  const soaks = runs.filter((run) => run.kind === 'soak');
  const unreadable = runs.filter((run) => run.kind === 'unreadable');
  return page(
    'Load runs',
    html`<header><h1>Load runs</h1>
<p class="meta">Published experiments, reproduced. Each report shows what the source reported beside what the run measured.</p></header>
<section>${read.length > 0 ? runTable(read) : html`<p>No runs yet.</p><pre class="command"><code>npm run load -- simple</code></pre>`}</section>
${
  comparisons.length > 0 &&
  html`<section><h2>Comparisons</h2><ul>${comparisons.map(
    (name) =>
      html`<li><a href="${encodeURIComponent(name)}">${name.replace(/^compare-|\.html$/g, '')}</a></li>`,
  )}</ul></section>`
}
${soaks.length > 0 && soakSection(soaks)}
${comparable(read)}
${unreadable.length > 0 && unreadableSection(unreadable)}`,
  );
}

/** The command that compares the two newest runs of a scenario. */
function comparable(runs: readonly Extract<RunFolder, { kind: 'run' }>[]): Markup {
  const newestFirst = [...runs].sort((a, b) => b.result.started_at.localeCompare(a.result.started_at));
  const pairs = [...Map.groupBy(newestFirst, ({ result }) => result.scenario).values()];
  const [newer, older] = pairs.find((pair) => pair.length > 1) ?? [];
  return html`${newer && older && html`<section><h2>Compare two runs</h2><pre class="command"><code>npm run load -- compare ${older.folder} ${newer.folder}</code></pre></section>`}`;
}

function soakSection(soaks: readonly Extract<RunFolder, { kind: 'soak' }>[]): Markup {
  return html`<section><h2>Soaks</h2><ul>${soaks.map(
    ({ folder, outcome }) =>
      html`<li><a href="${encodeURIComponent(folder)}/report.html">${folder}</a> ${OUTCOME_SIGNS[outcome]} ${outcome}</li>`,
  )}</ul></section>`;
}

function unreadableSection(folders: readonly { readonly folder: string; readonly reason: string }[]): Markup {
  return html`<section><h2>Unreadable runs</h2><ul>${folders.map(
    ({ folder, reason }) => html`<li><code>${folder}</code> ${reason}</li>`,
  )}</ul></section>`;
}
