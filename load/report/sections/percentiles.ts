import { RUN_TARGETS } from '../../results/judge-run.ts';
import type { Group, Percentiles, RunResult } from '../../results/run-result.ts';
import { html, type Markup } from '../html.ts';
import { count, duration, perSecond } from '../numbers.ts';

type Row = readonly [name: string, took: Percentiles | undefined];

/** The measured parts of a delivery, in order. */
export function percentilesSection({ latencies, empty }: RunResult): Markup {
  const table = percentileTable('', [
    ['Time to send', latencies.time_to_send],
    ['Empty pipeline', empty],
    ['Ordering wait', latencies.behind_earlier],
    ['Held', latencies.held],
    ['Attempts', latencies.attempt],
    ['Time to acknowledge', latencies.whole],
  ]);
  return html`${
    table &&
    html`<section><h2>Latencies</h2>
${empty && html`<p class="note">Empty pipeline is the latency of the same route (bus, queue, function, queue, function) without any work: the share of the machine, not of Payhooks.</p>`}
${latencies.behind_earlier && html`<p class="note">Ordering wait is the time a message spent behind an earlier one of its payment that was still being delivered. That time depends on the receiver and is not part of time to send. Neither is the time messages were held after failures or by limits.</p>`}
${table}</section>`
  }`;
}

/**
 * Groups, such as healthy and failing partners. A single group is the whole run and is not
 * repeated.
 */
export function groupsSection({ groups }: RunResult): Markup {
  const some = groups.filter((group) => Object.keys(group.place ?? {}).length === 0);
  if (some.length < 2) return html``;
  return html`<section><h2>Groups</h2>
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
export function isolationSection({ groups }: RunResult): Markup {
  const table = percentileTable(
    'time to send',
    groups.flatMap(({ name, before, during }): Row[] => [
      [`${name}, before`, before?.time_to_send],
      [`${name}, during`, during?.time_to_send],
    ]),
  );
  return html`${
    table &&
    html`<section><h2>Before and during the trouble of others</h2>
${groups.map(
  ({ name, isolation }) =>
    isolation !== undefined &&
    html`<p class="lead">p99 of <strong>${name}</strong>, which had no trouble of its own, rose to <strong>×${isolation.toFixed(2)}</strong> of its value before. Target: at most ×${RUN_TARGETS.isolation}.</p>`,
)}
${table}</section>`
  }`;
}

const PERCENTILES = ['p50', 'p90', 'p95', 'p99', 'max'] as const;

/** Without rows of which nothing was measured: a 0 would read like a very short time. */
function percentileTable(corner: string, rows: readonly Row[]): Markup | undefined {
  const measured = rows.flatMap(([name, took]) =>
    took === undefined || took.count === 0 ? [] : [{ name, took }],
  );
  if (measured.length === 0) return undefined;
  return html`<div class="scroll"><table class="numbers"><thead><tr><td>${corner}</td><th scope="col">messages</th><th scope="col">mean</th>${PERCENTILES.map(
    (name) => html`<th scope="col">${name}</th>`,
  )}</tr></thead><tbody>${measured.map(
    ({ name, took }) =>
      html`<tr><th scope="row">${name}</th><td>${count(took.count)}</td><td>${duration(took.mean)}</td>${PERCENTILES.map(
        (one) => html`<td>${duration(took[one])}</td>`,
      )}</tr>`,
  )}</tbody></table></div>`;
}
