import { figuresOf } from '../lab/findings/figures.ts';
import type { Point, RunResult } from '../results/run-result.ts';
import { HALF, overTime, ranges } from './charts.ts';
import { html, type Markup } from './html.ts';
import { count, instant, ratio, span, writtenAs } from './numbers.ts';
import { page } from './page.ts';
import { pointsOf } from './sections/over-time.ts';
import { verdictLine } from './sections/overview.ts';
import { LATENCIES, measuredOf } from './sections/percentiles.ts';

/** A run and its folder, which holds the linked report. */
export interface ComparedRun {
  readonly folder: string;
  readonly result: RunResult;
}

/** Compares two runs: first what differs in how they were run, then every number and chart. */
export async function comparisonPage(a: ComparedRun, b: ComparedRun): Promise<string> {
  const isOther = a.result.scenario !== b.result.scenario;
  return page(
    `${a.folder} and ${b.folder}`,
    html`<header><p class="eyebrow">Load runs / comparison</p>
<h1>${isOther ? `${a.result.title}, and ${b.result.title}` : a.result.title}</h1>
<p class="meta">Two runs side by side${isOther && html`, <strong>of different scenarios</strong>`}</p></header>
<section class="beside">${head('A', a)}${head('B', b)}</section>
${differences(a.result, b.result)}
${await charts(a.result, b.result)}
${numbers(a.result, b.result)}`,
  );
}

function head(label: 'A' | 'B', { folder, result }: ComparedRun): Markup {
  return html`<div class="run-${label.toLowerCase()}"><h2>${label}: ${result.scenario}</h2>
<p class="note">${instant(result.started_at)} · ${span(result.seconds)} · stage ${result.stage} · ${result.machine} · <a href="${encodeURIComponent(folder)}/report.html">report</a></p>
<pre class="command"><code>${result.command}</code></pre>
${verdictLine(result)}</div>`;
}

const QUANTITIES: readonly (readonly [
  title: string,
  unit: 'ms' | 'count',
  yTitle: string,
  of: (point: Point, run: RunResult) => number | null,
])[] = [
  ['Time to send, p99', 'ms', 'p99', (point) => point.time_to_send_p99],
  ['Time to send, median', 'ms', 'median', (point) => point.time_to_send_p50],
  ['Delivered', 'count', 'per second', (point, run) => point.delivered / run.second_width],
  ['Not yet accepted', 'count', 'messages', (point) => point.backlog],
];

/** Both runs in each chart, on the same scales. */
async function charts(a: RunResult, b: RunResult): Promise<Markup> {
  const runs = [
    ['A', a],
    ['B', b],
  ] as const;
  const overRun: Markup[] = [];
  for (const [title, unit, yTitle, of] of QUANTITIES) {
    const series = runs.map(([name, run]) => ({
      name,
      points: pointsOf(run.points, (point) => of(point, run)),
    }));
    if (series.every(({ points }) => points.every(({ y }) => y === null))) continue;
    const text = { title, description: `${title} of both runs over time` };
    overRun.push(await overTime(text, { series, unit, yTitle, size: HALF }));
  }
  const rows = LATENCIES.flatMap(({ key, name }) =>
    runs.flatMap(([label, run]) => {
      const percentiles = measuredOf(run.latencies, key);
      return percentiles ? [{ name: `${name}, ${label}`, percentiles }] : [];
    }),
  );
  return html`${overRun.length > 0 && html`<section><h2>Over the run</h2><div class="halves">${overRun}</div></section>`}
${rows.length > 0 && html`<section><h2>Latencies</h2>${await ranges('Latencies', rows)}</section>`}`;
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

/** What the runs broke, and every figure of both, with its ratio. */
function numbers(a: RunResult, b: RunResult): Markup {
  const promised = ['lost', 'order_violations', 'repeats', 'invalid_signatures'] as const;
  const [first, second] = [figuresOf(a), figuresOf(b)].map(
    (figures) => new Map(figures.map((one) => [one.name, one])),
  );
  const names = [...new Set([...(first?.keys() ?? []), ...(second?.keys() ?? [])])];
  const cell = (figure: ReturnType<typeof figuresOf>[number] | undefined) =>
    html`<td>${figure ? writtenAs[figure.unit](figure.value) : html`<span class="none">none</span>`}</td>`;
  return html`<section><h2>All numbers</h2><div class="scroll"><table class="numbers compared"><thead><tr><td></td><th scope="col">A</th><th scope="col">B</th><th scope="col">B / A</th></tr></thead><tbody>${promised.map(
    (name) =>
      html`<tr><th scope="row">${name.replaceAll('_', ' ')}</th><td>${count(a.promises[name])}</td><td>${count(b.promises[name])}</td><td></td></tr>`,
  )}${names.map((name) => {
    const [one, other] = [first?.get(name), second?.get(name)];
    return html`<tr><th scope="row">${name}</th>${cell(one)}${cell(other)}<td>${one && other && ratio(one.value, other.value)}</td></tr>`;
  })}</tbody></table></div></section>`;
}
