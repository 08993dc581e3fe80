import type { Cost, RunResult } from '../../results/run-result.ts';
import { html, type Markup } from '../html.ts';
import { bytes, count, dollars, figure, share } from '../numbers.ts';

/** Attempts by outcome, the most frequent first. */
export function attemptsSection({ attempts }: RunResult): Markup {
  const rows = Object.entries(attempts).sort(([, a], [, b]) => b - a);
  const total = rows.reduce((sum, [, number]) => sum + number, 0);
  if (total === 0) {
    return html``;
  }
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

/** What AWS would charge: by service, the three largest lines, and the calls behind them. */
export function costSection({ cost }: RunResult): Markup {
  if (!cost) {
    return html``;
  }
  const services = Object.entries(cost.by_service).sort(([, a], [, b]) => b - a);
  const calls = Object.entries(cost.calls).sort(([, a], [, b]) => b - a);
  const part = (value: number) => (cost.per_million > 0 ? value / cost.per_million : 0);
  return html`<section><h2>What a million deliveries cost</h2>
<p class="lead"><strong>${dollars(cost.per_million)}</strong> at list price in ${cost.region} as of ${cost.prices_as_of}; a delivery takes ${figure(cost.calls_per_delivery)} calls to AWS, ${figure(cost.write_units_per_delivery)} write and ${figure(cost.read_units_per_delivery)} read units.</p>
${batches(cost)}
${beside(cost)}
${bars(
  ['service', 'a million', 'share'],
  services.map(([name, value]) => ({
    name,
    values: [dollars(value), share(part(value))],
    part: part(value),
    tone: 3,
  })),
)}
${
  cost.lines.length > 0 &&
  html`<h3>The largest lines</h3><ol class="lines">${cost.lines
    .slice(0, 3)
    .map(
      ({ name, per_million: value }) => html`<li><span>${name}</span> <b>${dollars(value)}</b></li>`,
    )}</ol>`
}
${
  calls.length > 0 &&
  html`<details><summary>Calls to AWS by kind, for one delivery</summary><div class="scroll"><table class="numbers"><tbody>${calls.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${figure(value)}</td></tr>`,
  )}</tbody></table></div></details>`
}</section>`;
}

/** What is paid by batch is the dearer the emptier they are. */
function batches({ records_per_batch: full = {} }: Cost): Markup {
  const said = Object.entries(full).map(([name, records]) => `${name} ${figure(records)}`);
  return html`${said.length > 0 && html`<p class="note">Records in a batch of ten at most: ${said.join(', ')}. The warm-up is not counted.</p>`}`;
}

/** What is paid besides, and what is in the price and what is not. */
function beside({ beside: { stored_month, egress } = {}, others }: Cost): Markup {
  const left = Object.entries(others ?? {}).map(([name, number]) => `${count(number)} of ${name}`);
  return html`${
    (stored_month || egress) &&
    html`<dl class="figures small-figures">
${stored_month && html`<div><dt>A month of storage</dt><dd>${dollars(stored_month.per_million)}<small>beside it: ${bytes(stored_month.bytes_per_delivery)} a delivery, without indexes</small></dd></div>`}
${egress && html`<div><dt>Egress</dt><dd>${dollars(egress.per_million)}<small>beside it: ${bytes(egress.bytes_per_delivery)} a delivery, all attempts, without TLS</small></dd></div>`}
</dl>`
  }${
    others &&
    html`<p class="note">In it is what was done for this run’s partners while it was measured, and what is done for nobody, such as the minutely sweep; ticks of its circuits after its end are not. ${
      left.length > 0 &&
      html`Left out are invocations for partners of others, such as those of the run before: ${left.join(', ')}.`
    }</p>`
  }`;
}

/** How hard our own code worked. */
export function workSection({ work }: RunResult): Markup {
  return html`${
    work &&
    html`<section><h2>How hard our code worked</h2><dl class="figures small-figures">
<div><dt>CPU for a delivery</dt><dd>${figure(work.cpu_ms_per_delivery)} ms<small>match and deliver together</small></dd></div>
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
