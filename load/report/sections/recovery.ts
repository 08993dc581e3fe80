import type { Recovery, RunResult } from '../../results/run-result.ts';
import { html, type Markup } from '../html.ts';
import { count, duration, perSecond, share } from '../numbers.ts';

const COLUMNS = [
  'refused',
  'all others delivered, after the last event',
  'delivered while events arrived',
  'wait before the first attempt in the last 10 s, p50',
  'p99',
  'circuit at the end',
  'circuit opened',
  'drain rate',
];

/** How each endpoint recovered. */
export function recoverySection({ groups }: RunResult): Markup {
  const some = groups.flatMap(({ name, recovery }) => (recovery === undefined ? [] : [{ name, recovery }]));
  if (some.length === 0) return html``;
  return html`<section><h2>Recovery of each endpoint</h2>
<div class="scroll"><table class="numbers"><thead><tr><th scope="col">endpoint</th>${COLUMNS.map(
    (column) => html`<th scope="col">${column}</th>`,
  )}</tr></thead><tbody>${some.map(({ name, recovery }) => row(name, recovery))}</tbody></table></div>
<p class="note">Refused counts messages of payments that the endpoint permanently refuses; all are on record. The wait runs from intake: time to send and time held, without the ordering wait.</p></section>`;
}

function row(name: string, recovery: Recovery): Markup {
  const { refused, others, others_delivered, all_after_ms, delivered_meanwhile, last_seconds } = recovery;
  const { circuits, opened, drain_per_second } = recovery;
  return html`<tr><th scope="row">${name}</th><td>${count(refused)}</td><td>${
    all_after_ms === undefined ? `${count(others_delivered)} of ${count(others)}` : duration(all_after_ms)
  }</td><td>${share(delivered_meanwhile)}</td><td>${last_seconds && duration(last_seconds.p50)}</td><td>${
    last_seconds && duration(last_seconds.p99)
  }</td><td>${Object.entries(circuits)
    .map(([state, number]) => `${number} ${state}`)
    .join(', ')}</td><td>${count(opened)} times</td><td>${
    drain_per_second !== undefined && perSecond(drain_per_second)
  }</td></tr>`;
}
