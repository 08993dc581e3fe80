import type { RunResult } from '../../results/run-result.ts';
import { html, linked, type Markup } from '../html.ts';
import { judge, OUTCOME_SIGNS } from '../judgement.ts';
import { count, dollars, duration, figure, instant, perSecond, span } from '../numbers.ts';

/** The headline: the outcome. */
export function verdictLine(result: RunResult): Markup {
  const { outcome, headline, details } = judge(result);
  return html`<p class="verdict ${outcome}" role="status"><span class="sign" aria-hidden="true">${OUTCOME_SIGNS[outcome]}</span>
<span><strong>${headline}</strong> ${details.length > 0 && html`<span class="details">${details.join(' · ')}</span>`}</span></p>`;
}

export function heading(result: RunResult): Markup {
  return html`<header>
<p class="eyebrow">Load run / ${result.scenario}</p>
<h1>${result.title}</h1>
<p class="meta">${instant(result.started_at)} · ${span(result.seconds)} · ${result.repetitions && html`median of ${result.repetitions.length} repetitions · `}stage ${result.stage} · ${result.machine}</p>
</header>`;
}

/** The key figures of a run. */
export function keyFigures(result: RunResult): Markup {
  const { latencies, cost, work } = result;
  const figures = [
    latencies.time_to_send && [
      'Time to send, median',
      duration(latencies.time_to_send.p50),
      'from intake to the first attempt',
    ],
    latencies.time_to_send && [
      'Time to send, p99',
      duration(latencies.time_to_send.p99),
      `slowest ${duration(latencies.time_to_send.max)}${result.empty ? `; empty pipeline ${duration(result.empty.p99)}` : ''}`,
    ],
    latencies.whole && [
      'Time to acknowledge, median',
      duration(latencies.whole.p50),
      `from intake to the 2xx; p95 ${duration(latencies.whole.p95)}`,
    ],
    [
      'Delivered',
      perSecond(result.delivered_per_second),
      `of ${perSecond(result.offered_per_second)} offered`,
    ],
    cost && ['Price of a million deliveries', dollars(cost.per_million), `list price, ${cost.region}`],
    work && ['CPU per delivery', `${figure(work.cpu_ms_per_delivery)} ms`, 'match and deliver together'],
  ].filter((one) => one !== undefined);
  return html`<dl class="figures">${figures.map(
    ([name, value, note]) => html`<div><dt>${name}</dt><dd>${value}<small>${note}</small></dd></div>`,
  )}</dl>`;
}

/** What the published experiment reported, beside what the run measured. */
export function beside(result: RunResult): Markup {
  return html`<section class="beside">
<div><h2>The source reported</h2><p class="note">${linked(result.source.name)}</p><ul>${result.source.saw.map((one) => html`<li>${linked(one)}</li>`)}</ul></div>
<div><h2>This run measured</h2><p class="note">${result.scenario}, ${instant(result.started_at)}</p><ul>${measured(result).map((one) => html`<li>${one}</li>`)}</ul></div>
</section>`;
}

function measured({ latencies, points, promises, ...result }: RunResult): string[] {
  const { time_to_send: toSend, behind_earlier: behind, whole, held } = latencies;
  const backlog = Math.max(0, ...points.map((point) => point.backlog));
  return [
    ...(toSend
      ? [
          `half sent within ${duration(toSend.p50)} of intake, 99 of 100 within ${duration(toSend.p99)}, the slowest after ${duration(toSend.max)}`,
        ]
      : promises.delivered > 0
        ? []
        : ['no message was attempted']),
    ...(behind
      ? [
          behind.count === 0
            ? 'no ordering wait: no message waited behind an earlier event of its payment'
            : `ordering wait of the ${count(behind.count)} that waited behind an earlier event of their payment: median ${duration(behind.p50)}, p99 ${duration(behind.p99)}`,
        ]
      : []),
    ...(held && held.max > 0
      ? [`held before that by a failure, a circuit, a pause or a rate limit: p99 ${duration(held.p99)}`]
      : []),
    ...(whole
      ? [
          `time to acknowledge: median ${duration(whole.p50)}, p95 ${duration(whole.p95)}, p99 ${duration(whole.p99)}`,
        ]
      : []),
    `${perSecond(result.delivered_per_second)} delivered, of ${perSecond(result.offered_per_second)} offered`,
    ...(points.length > 0
      ? [
          `at most ${count(backlog)} messages not yet accepted at a time, including those being attempted; ${count(points.at(-1)?.backlog ?? 0)} of ${count(promises.expected)} at the end`,
        ]
      : []),
  ];
}

/** The command that repeats the run (a click selects it), and its parameters. */
export function conditions(result: RunResult): Markup {
  return html`<section class="conditions">
<h2>Run it again</h2>
<pre class="command"><code>${result.command}</code></pre>
<dl class="parameters">${Object.entries(result.parameters).map(
    ([name, value]) =>
      html`<div><dt>${name}</dt><dd>${typeof value === 'string' ? value : JSON.stringify(value)}</dd></div>`,
  )}</dl>
${result.remarks.map((remark) => html`<p class="remark">${linked(remark)}</p>`)}
</section>`;
}
