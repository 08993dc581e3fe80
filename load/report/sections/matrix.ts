import type { Group, RunResult } from '../../run-result.ts';
import { figureOf, legend } from '../chart/figure.ts';
import { lineChart, type Series } from '../chart/line-chart.ts';
import type { Measure } from '../chart/scales.ts';
import { html, type Markup } from '../html.ts';
import { count, duration, figure, measured, perSecond, spoken } from '../numbers.ts';
import { tones } from './percentiles.ts';

type Cell = Group & { readonly place: Readonly<Record<string, number>> };

/** Throughput and latency against each axis of a matrix, and all its cells in one table. */
export function matrixSection({ groups }: RunResult): Markup {
  const cells = groups.filter(isCell);
  if (cells.length === 0) {
    return html``;
  }
  const axes = Object.keys(cells[0]?.place ?? {});
  const varied = axes.filter((axis) => distinct(cells, axis).length > 1);
  return html`${varied.map((axis) => axisSection(axis, cells, varied))}
<section><h2>Cell by cell</h2>${cellTable(cells, axes)}</section>`;
}

/** What lies nowhere on an axis is a group of partners. */
function isCell(group: Group): group is Cell {
  return Object.keys(group.place ?? {}).length > 0;
}

interface Quantity {
  readonly title: string;
  readonly y: Measure;
  readonly yLabel: string;
  readonly of: (cell: Cell) => number | null;
}

const QUANTITIES: readonly Quantity[] = [
  {
    title: 'Throughput',
    y: { kind: 'count' },
    yLabel: 'delivered per second',
    of: (cell) => cell.delivered_per_second,
  },
  {
    title: 'Time to send, p99',
    y: { kind: 'duration' },
    yLabel: 'time to send, p99',
    of: (cell) => cell.latencies.time_to_send?.p99 ?? null,
  },
];

/** Lines by the next axis, a panel for each combination of the rest, all panels with one scale. */
function axisSection(axis: string, cells: readonly Cell[], varied: readonly string[]): Markup {
  const [byLine, ...byPanel] = varied.filter((other) => other !== axis);
  const panels = [...Map.groupBy(cells, (cell) => byPanel.map((other) => placed(cell, other)).join(', '))];
  const lines = linesBy(byLine, cells);
  return html`<section class="panels-of"><h2>Against ${spoken(axis)}</h2>${QUANTITIES.map(
    (quantity) =>
      html`<h3>${quantity.title}</h3>${legend(lines)}<div class="panels">${panels.map(([title, some]) => {
        const summary = `${quantity.title} against ${spoken(axis)}${title && `, ${title}`}`;
        const chart = {
          ...chartOf(axis, quantity, cells),
          series: seriesOf(some, lines, axis, quantity),
          summary,
        };
        return figureOf({ title }, PANEL, (size) => lineChart(chart, size));
      })}</div>`,
  )}</section>`;
}

const PANEL = [{ width: 344, height: 230 }];

/** What all panels of an axis have in common: their scales reach every cell. */
function chartOf(axis: string, { y, yLabel, of }: Quantity, cells: readonly Cell[]) {
  const x: Measure = { kind: 'steps', text: (value) => measured(axis, value) };
  const reach = { x: distinct(cells, axis), y: cells.flatMap((cell) => of(cell) ?? []) };
  return { x, xLabel: spoken(axis), y, yLabel, reach };
}

interface Line {
  readonly name: string;
  readonly tone: Series['tone'];
  readonly look: 'line';
  readonly has: (cell: Cell) => boolean;
}

/** A value has the same colour in every panel, also where a panel has no cell of it. */
function linesBy(axis: string | undefined, cells: readonly Cell[]): Line[] {
  if (axis === undefined) {
    return [{ name: 'all', tone: 1, look: 'line', has: () => true }];
  }
  return distinct(cells, axis).map((value, index) => ({
    name: `${spoken(axis)} ${measured(axis, value)}`,
    tone: tones(index),
    look: 'line',
    has: (cell) => cell.place[axis] === value,
  }));
}

function seriesOf(cells: readonly Cell[], lines: readonly Line[], axis: string, { of }: Quantity): Series[] {
  return lines.map(({ has, ...line }) => ({
    ...line,
    points: cells
      .filter(has)
      .map((cell) => ({ x: cell.place[axis] ?? 0, y: of(cell) }))
      .sort((a, b) => a.x - b.x),
  }));
}

function cellTable(cells: readonly Cell[], axes: readonly string[]): Markup {
  const most = Math.max(...cells.map((cell) => cell.delivered_per_second), Number.MIN_VALUE);
  const sorted = [...cells].sort(
    (a, b) =>
      axes.map((axis) => (a.place[axis] ?? 0) - (b.place[axis] ?? 0)).find((order) => order !== 0) ?? 0,
  );
  const columns = ['delivered', 'mean', 'p50', 'p90', 'p95', 'p99', 'failed attempts'];
  return html`<div class="scroll"><table class="numbers"><thead><tr>${axes.map((axis) => html`<th scope="col">${spoken(axis)}</th>`)}<th scope="col">per second</th>${columns.map(
    (column) => html`<th scope="col">${column}</th>`,
  )}</tr></thead><tbody>${sorted.map((cell) => {
    const toSend = cell.latencies.time_to_send;
    return html`<tr>${axes.map((axis) => html`<th scope="row">${measured(axis, cell.place[axis] ?? 0)}</th>`)}<td class="heat" style="--heat:${(cell.delivered_per_second / most).toFixed(2)}">${perSecond(cell.delivered_per_second)}</td><td>${count(cell.delivered)} of ${count(cell.expected)}</td>${
      toSend
        ? [toSend.mean, toSend.p50, toSend.p90, toSend.p95, toSend.p99].map(
            (ms) => html`<td>${duration(ms)}</td>`,
          )
        : html`<td colspan="5" class="none">never attempted</td>`
    }<td>${figure(cell.failed_attempts)}</td></tr>`;
  })}</tbody></table></div>`;
}

function placed(cell: Cell, axis: string): string {
  return `${spoken(axis)} ${measured(axis, cell.place[axis] ?? 0)}`;
}

function distinct(cells: readonly Cell[], axis: string): number[] {
  return [...new Set(cells.map((cell) => cell.place[axis] ?? 0))].sort((a, b) => a - b);
}
