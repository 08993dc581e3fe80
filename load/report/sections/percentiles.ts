import { RUN_TARGETS } from '../../results/judge-run.ts';
import type { Group, Latencies, Percentiles, RunResult } from '../../results/run-result.ts';
import { PERCENTILES, type RangeRow, ranges } from '../charts.ts';
import { html, type Markup } from '../html.ts';
import { count, duration, perSecond } from '../numbers.ts';

/** The measured parts of a delivery, in order. */
export const LATENCIES = [
  { key: 'time_to_send', name: 'Time to send' },
  { key: 'behind_earlier', name: 'Ordering wait' },
  { key: 'held', name: 'Held' },
  { key: 'attempt', name: 'Attempts' },
  { key: 'whole', name: 'Time to acknowledge' },
] as const satisfies readonly { key: keyof Latencies; name: string }[];

/** Undefined when nothing was measured: a 0 would read like a very short time. */
export function measuredOf(latencies: Latencies, key: keyof Latencies): Percentiles | undefined {
  const percentiles = latencies[key];
  return percentiles !== undefined && percentiles.count > 0 ? percentiles : undefined;
}

export async function percentilesSection({ latencies, empty }: RunResult): Promise<Markup> {
  const rows = LATENCIES.flatMap(({ key, name }): RangeRow[] => {
    const percentiles = measuredOf(latencies, key);
    return percentiles === undefined ? [] : [{ name, percentiles }];
  });
  if (empty !== undefined) {
    rows.splice(1, 0, { name: 'Empty pipeline', percentiles: empty });
  }
  if (rows.length === 0) return html``;
  return html`<section><h2>Latencies</h2>
${await ranges('Latencies', rows)}
${empty && html`<p class="note">Empty pipeline is the latency of the same route (bus, queue, function, queue, function) without any work: the share of the machine, not of Payhooks.</p>`}
${measuredOf(latencies, 'behind_earlier') && html`<p class="note">Ordering wait is the time a message spent behind an earlier one of its payment that was still being delivered. That time depends on the receiver and is not part of time to send. Neither is the time messages were held after failures or by limits.</p>`}
${percentileTable('', rows)}</section>`;
}

/**
 * Groups, such as healthy and failing partners. A single group is the whole run and is not
 * repeated.
 */
export async function groupsSection({ groups }: RunResult): Promise<Markup> {
  const some = groups.filter((group) => Object.keys(group.place ?? {}).length === 0);
  if (some.length < 2) return html``;
  const rows = some.flatMap(({ name, latencies }) =>
    latencies.time_to_send ? [{ name, percentiles: latencies.time_to_send }] : [],
  );
  return html`<section><h2>Groups</h2>
${rows.length > 0 && (await ranges('Time to send by group', rows))}
<div class="scroll"><table class="numbers"><thead><tr><th scope="col">group</th><th scope="col">delivered</th><th scope="col">expected</th><th scope="col">per second</th><th scope="col">failed attempts</th><th scope="col">time to send p50</th><th scope="col">p99</th><th scope="col">slowest</th></tr></thead>
<tbody>${some.map(groupRow)}</tbody></table></div></section>`;
}

function groupRow(group: Group): Markup {
  const toSend = group.latencies.time_to_send;
  return html`<tr><th scope="row">${group.name}</th><td>${count(group.delivered)}</td><td>${count(group.expected)}</td><td>${perSecond(group.delivered_per_second)}</td><td>${count(group.failed_attempts)}</td>${
    toSend
      ? [toSend.p50, toSend.p99, toSend.max].map((ms) => html`<td>${duration(ms)}</td>`)
      : html`<td colspan="3" class="none">never attempted</td>`
  }</tr>`;
}

/** How much partners without trouble felt the trouble of others. */
export async function isolationSection({ groups }: RunResult): Promise<Markup> {
  const some = groups.flatMap(({ name, before, during, isolation }) => {
    const [first, then] = [before?.time_to_send, during?.time_to_send];
    return first && then ? [{ name, first, then, isolation }] : [];
  });
  if (some.length === 0) return html``;
  const rows = some.flatMap(({ name, first, then }): RangeRow[] => [
    { name: `${name}, before`, percentiles: first },
    { name: `${name}, during`, percentiles: then },
  ]);
  return html`<section><h2>Before and during the trouble of others</h2>
${some.map(
  ({ name, isolation }) =>
    isolation !== undefined &&
    html`<p class="lead">p99 of <strong>${name}</strong>, which had no trouble of its own, rose to <strong>×${isolation.toFixed(2)}</strong> of its value before. Target: at most ×${RUN_TARGETS.isolation}.</p>`,
)}
${await ranges('Time to send before and during', rows)}
${percentileTable('time to send', rows)}</section>`;
}

function percentileTable(
  corner: string,
  rows: readonly { name: string; percentiles: Percentiles }[],
): Markup {
  return html`<div class="scroll"><table class="numbers"><thead><tr><td>${corner}</td><th scope="col">messages</th><th scope="col">mean</th>${PERCENTILES.map(
    (name) => html`<th scope="col">${name}</th>`,
  )}</tr></thead><tbody>${rows.map(
    ({ name, percentiles }) =>
      html`<tr><th scope="row">${name}</th><td>${count(percentiles.count)}</td><td>${duration(percentiles.mean)}</td>${PERCENTILES.map(
        (one) => html`<td>${duration(percentiles[one])}</td>`,
      )}</tr>`,
  )}</tbody></table></div>`;
}
