import type { RunResult } from '../../results/run-result.ts';
import { html, linked, type Markup } from '../html.ts';
import { judge, OUTCOME_SIGNS } from '../judgement.ts';
import { dollars, duration, figure, instant, perSecond, span } from '../numbers.ts';

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

/** What the published experiment reported, beside the key figures of the run. */
export function beside(result: RunResult): Markup {
  return html`<section class="beside">
<div><h2>The source reported</h2><p class="note">${linked(result.source.name)}</p><ul>${result.source.saw.map((one) => html`<li>${linked(one)}</li>`)}</ul></div>
<div><h2>This run measured</h2>${keyFigures(result)}</div>
</section>`;
}

function keyFigures(result: RunResult): Markup {
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
