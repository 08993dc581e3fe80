import type { RunResult } from '../results/run-result.ts';
import { html, type Markup } from './html.ts';
import { instant, span } from './numbers.ts';
import { page } from './page.ts';
import { comparedCharts } from './sections/compared-charts.ts';
import { comparedGroups, comparedNumbers } from './sections/compared-numbers.ts';
import { verdictLine } from './sections/overview.ts';

/** A run and its folder, which holds the linked report. */
export interface ComparedRun {
  readonly folder: string;
  readonly result: RunResult;
}

/** Compares two runs: first what differs in how they were run, then every number and chart. */
export function comparisonPage(a: ComparedRun, b: ComparedRun): string {
  const isOther = a.result.scenario !== b.result.scenario;
  return page(
    `${a.folder} and ${b.folder}`,
    html`<header><p class="eyebrow"><a href="index.html">Load runs</a> / comparison</p>
<h1>${isOther ? `${a.result.title}, and ${b.result.title}` : a.result.title}</h1>
<p class="meta">Two runs side by side${isOther && html`, <strong>of different scenarios</strong>`}</p></header>
<section class="beside">${head('A', a)}${head('B', b)}</section>
${differences(a.result, b.result)}
${comparedCharts(a.result, b.result)}
${comparedNumbers(a.result, b.result)}
${comparedGroups(a.result, b.result)}`,
  );
}

function head(label: 'A' | 'B', { folder, result }: ComparedRun): Markup {
  return html`<div class="run-${label.toLowerCase()}"><h2>${label}: ${result.scenario}</h2>
<p class="note">${instant(result.started_at)} · ${span(result.seconds)} · stage ${result.stage} · ${result.machine} · <a href="${encodeURIComponent(folder)}/report.html">report</a></p>
<pre class="command"><code>${result.command}</code></pre>
${verdictLine(result)}</div>`;
}

/** The parameters that differ: they explain the numbers. */
function differences(a: RunResult, b: RunResult): Markup {
  const names = [...new Set([...Object.keys(a.parameters), ...Object.keys(b.parameters)])];
  const written = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none'));
  const rows = [
    ...names.map((name) => [name, written(a.parameters[name]), written(b.parameters[name])]),
    ['stage', a.stage, b.stage],
    ['machine', a.machine, b.machine],
  ].filter(([, first, second]) => first !== second);
  return html`<section><h2>Differences</h2>${
    rows.length > 0
      ? html`<div class="scroll"><table class="numbers"><thead><tr><td></td><th scope="col">A</th><th scope="col">B</th></tr></thead><tbody>${rows.map(
          ([name, first, second]) =>
            html`<tr><th scope="row">${name}</th><td>${first}</td><td>${second}</td></tr>`,
        )}</tbody></table></div>`
      : html`<p class="lead">Same parameters, stage and machine: differences come from the code, or chance.</p>`
  }</section>`;
}
