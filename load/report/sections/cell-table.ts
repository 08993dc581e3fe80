import { rateOf } from '../../results/rate.ts';
import type { Group } from '../../results/run-result.ts';
import { html, type Markup } from '../html.ts';
import { count, dollars, duration, figure, measured, perSecond, share, spoken } from '../numbers.ts';

export type Cell = Group & { readonly place: Readonly<Record<string, number>> };

/** One row per cell. */
export function cellTable(cells: readonly Cell[], axes: readonly string[]): Markup {
  const maxRate = Math.max(...cells.map(rateOf), Number.MIN_VALUE);
  const sorted = [...cells].sort(
    (a, b) =>
      axes.map((axis) => (a.place[axis] ?? 0) - (b.place[axis] ?? 0)).find((order) => order !== 0) ?? 0,
  );
  const columns = ['delivered', 'average', 'p50', 'p90', 'p95', 'p99', 'errors'];
  const worked = cells.some(({ work }) => work !== undefined);
  if (worked) columns.push('own CPU', 'loop delay p99', 'GC');
  const isPriced = cells.some(({ per_million }) => per_million !== undefined);
  if (isPriced) columns.push('list price per million', 'plus storage for a month', 'plus egress');
  const isEmptyKnown = cells.some(({ empty }) => empty !== undefined);
  if (isEmptyKnown) columns.push('empty pipeline p50', 'p99');
  return html`<div class="scroll"><table class="numbers"><thead><tr>${axes.map((axis) => html`<th scope="col">${spoken(axis)}</th>`)}<th scope="col">per second</th>${columns.map(
    (column) => html`<th scope="col">${column}</th>`,
  )}</tr></thead><tbody>${sorted.map((cell) => {
    const toSend = cell.latencies.time_to_send;
    return html`<tr>${axes.map((axis) => html`<th scope="row">${measured(axis, cell.place[axis] ?? 0)}</th>`)}<td class="heat" style="--heat:${(rateOf(cell) / maxRate).toFixed(2)}">${perSecond(rateOf(cell))}</td><td>${count(cell.delivered)} of ${count(cell.expected)}</td>${
      toSend
        ? [toSend.mean, toSend.p50, toSend.p90, toSend.p95, toSend.p99].map(
            (ms) => html`<td>${duration(ms)}</td>`,
          )
        : html`<td colspan="5" class="none">never attempted</td>`
    }<td>${figure(cell.failed_attempts)}</td>${worked && workCells(cell)}${isPriced && priceCells(cell)}${isEmptyKnown && emptyCells(cell)}</tr>`;
  })}</tbody></table></div>`;
}

function workCells({ work }: Cell): Markup {
  return work === undefined
    ? html`<td colspan="3" class="none">not metered</td>`
    : html`<td>${figure(work.cpu_ms_per_delivery)} ms</td><td>${duration(work.event_loop_delay_ms_p99)}</td><td>${share(work.gc_share)}</td>`;
}

function priceCells({ per_million, beside = {} }: Cell): Markup {
  return per_million === undefined
    ? html`<td colspan="3" class="none">not metered</td>`
    : html`${[per_million, beside.stored_month?.per_million, beside.egress?.per_million].map(
        (price) => html`<td>${price !== undefined && dollars(price)}</td>`,
      )}`;
}

function emptyCells({ empty }: Cell): Markup {
  return empty === undefined
    ? html`<td colspan="2" class="none">not measured</td>`
    : html`<td>${duration(empty.p50)}</td><td>${duration(empty.p99)}</td>`;
}

/** The distinct values of an axis, ascending. */
export function distinct(cells: readonly Cell[], axis: string): number[] {
  return [...new Set(cells.map((cell) => cell.place[axis] ?? 0))].sort((a, b) => a - b);
}
