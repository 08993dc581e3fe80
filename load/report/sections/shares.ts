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
<div class="scroll"><table class="numbers"><tbody>${rows.map(
    ([name, number]) =>
      html`<tr><th scope="row">${name}</th><td>${count(number)}</td><td>${share(number / total)}</td></tr>`,
  )}</tbody></table></div></section>`;
}

/** What AWS would charge: by service, the three largest items, and the calls behind them. */
export function costSection({ cost }: RunResult): Markup {
  if (!cost) return html``;
  const services = Object.entries(cost.by_service).sort(([, a], [, b]) => b - a);
  const calls = Object.entries(cost.calls).sort(([, a], [, b]) => b - a);
  return html`<section><h2>Price of a million deliveries</h2>
<p class="lead"><strong>${dollars(cost.per_million)}</strong> at list price in ${cost.region} as of ${cost.prices_as_of}; a delivery takes ${figure(cost.calls_per_delivery)} AWS calls, ${figure(cost.write_units_per_delivery)} write and ${figure(cost.read_units_per_delivery)} read units.</p>
${batches(cost)}
<div class="scroll"><table class="numbers"><tbody>${services.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${dollars(value)}</td></tr>`,
  )}</tbody></table></div>
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
