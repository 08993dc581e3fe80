import type { Cost, RunResult } from '../../results/run-result.ts';
import { sum } from '../../statistics/sum.ts';
import { html, type Markup } from '../html.ts';
import { count, dollars, figure, share } from '../numbers.ts';

/** Attempts by outcome, most frequent first. */
export function attemptsSection({ attempts }: RunResult): Markup {
  const rows = Object.entries(attempts).sort(([, a], [, b]) => b - a);
  const total = sum(rows.map(([, number]) => number));
  if (total === 0) return html``;
  return html`<section><h2>Attempts by outcome</h2>
${bars(
  ['outcome', 'attempts', 'share'],
  rows.map(([name, number]) => ({
    name,
    values: [count(number), share(number / total)],
    part: number / total,
    tone: name === 'delivered' ? 1 : 2,
  })),
)}</section>`;
}

/** What AWS would charge: by service, the three largest items, and the calls behind them. */
export function costSection({ cost }: RunResult): Markup {
  if (!cost) return html``;
  const services = Object.entries(cost.by_service).sort(([, a], [, b]) => b - a);
  const calls = Object.entries(cost.calls).sort(([, a], [, b]) => b - a);
  const part = (value: number) => (cost.per_million > 0 ? value / cost.per_million : 0);
  return html`<section><h2>Price of a million deliveries</h2>
<p class="lead"><strong>${dollars(cost.per_million)}</strong> at list price in ${cost.region} as of ${cost.prices_as_of}; a delivery takes ${figure(cost.calls_per_delivery)} AWS calls, ${figure(cost.write_units_per_delivery)} write and ${figure(cost.read_units_per_delivery)} read units.</p>
${batches(cost)}
${bars(
  ['service', 'per million', 'share'],
  services.map(([name, value]) => ({
    name,
    values: [dollars(value), share(part(value))],
    part: part(value),
    tone: 3,
  })),
)}
${
  cost.lines.length > 0 &&
  html`<h3>Largest items</h3><ol class="lines">${cost.lines
    .slice(0, 3)
    .map(
      ({ name, per_million: value }) => html`<li><span>${name}</span> <b>${dollars(value)}</b></li>`,
    )}</ol>`
}
${
  calls.length > 0 &&
  html`<details><summary>AWS calls per delivery</summary><div class="scroll"><table class="numbers"><tbody>${calls.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${figure(value)}</td></tr>`,
  )}</tbody></table></div></details>`
}</section>`;
}

/** Emptier batches make a delivery dearer. */
function batches({ records_per_batch: full }: Cost): Markup {
  const said = Object.entries(full).map(([name, records]) => `${name} ${figure(records)}`);
  return html`${said.length > 0 && html`<p class="note">Average records per batch, at most ten: ${said.join(', ')}. Without the warm-up.</p>`}`;
}

/** The work of our own code. */
export function workSection({ work }: RunResult): Markup {
  return html`${
    work &&
    html`<section><h2>Work of our code</h2><dl class="figures small-figures">
<div><dt>CPU per delivery</dt><dd>${figure(work.cpu_ms_per_delivery)} ms<small>match and deliver together</small></dd></div>
<div><dt>Event-loop delay</dt><dd>${figure(work.event_loop_delay_ms_p99)} ms<small>p99 in the workers</small></dd></div>
<div><dt>Garbage collection</dt><dd>${share(work.gc_share)}<small>of the workers’ time</small></dd></div>
</dl></section>`
  }`;
}

interface Bar {
  readonly name: string;
  readonly values: readonly string[];
  /** 0 to 1 */
  readonly part: number;
  readonly tone: number;
}

function bars([name, ...columns]: readonly string[], rows: readonly Bar[]): Markup {
  const max = Math.max(...rows.map(({ part }) => part), Number.MIN_VALUE);
  return html`<div class="scroll"><table class="numbers bars"><thead><tr><th scope="col">${name}</th>${columns.map(
    (column) => html`<th scope="col">${column}</th>`,
  )}<td></td></tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr><th scope="row">${row.name}</th>${row.values.map((value) => html`<td>${value}</td>`)}<td class="bar"><span class="tone-${row.tone}" style="width:${((row.part / max) * 100).toFixed(1)}%"></span></td></tr>`,
  )}</tbody></table></div>`;
}
