import type { RunFolder } from '../results/read-run.ts';
import { html, type Markup } from './html.ts';
import { judge, OUTCOME_SIGNS } from './judgement.ts';
import { duration, instant, perSecond } from './numbers.ts';

type Run = Extract<RunFolder, { kind: 'run' }>;

/** All runs, newest first, each with a link to its report. */
export function runTable(runs: readonly Run[]): Markup {
  const newestFirst = [...runs].sort((a, b) => b.result.started_at.localeCompare(a.result.started_at));
  return html`<div class="scroll"><table class="numbers runs"><thead><tr><th scope="col">run</th><th scope="col">outcome</th><th scope="col">time to send p50</th><th scope="col">p99</th><th scope="col">delivered</th><th scope="col">offered</th><td></td></tr></thead>
<tbody>${newestFirst.map(runRow)}</tbody></table></div>`;
}

function runRow({ folder, result }: Run): Markup {
  const { outcome, headline } = judge(result);
  const toSend = result.latencies.time_to_send;
  const at = encodeURIComponent(folder);
  return html`<tr><th scope="row"><a href="${at}/report.html">${result.scenario}</a><small>${result.title}${result.repetitions && `, median of ${result.repetitions.length}`}</small><small>${instant(result.started_at)}</small></th>
<td><span class="badge ${outcome}" title="${headline}">${OUTCOME_SIGNS[outcome]} ${outcome}</span>${result.is_interrupted && html`<small>interrupted</small>`}</td>
<td>${toSend && duration(toSend.p50)}</td><td>${toSend && duration(toSend.p99)}</td><td>${perSecond(result.delivered_per_second)}</td><td>${perSecond(result.offered_per_second)}</td>
<td><a href="${at}/result.json">JSON</a></td></tr>`;
}
