import { rateOf } from '../../results/rate.ts';
import type { Group, RunResult } from '../../results/run-result.ts';
import { median } from '../../statistics/median.ts';
import { figureOf, legend } from '../chart/figure.ts';
import { lineChart, type Series } from '../chart/line-chart.ts';
import type { Measure } from '../chart/scales.ts';
import { html, type Markup } from '../html.ts';
import { count, dollars, duration, figure, measured, spoken } from '../numbers.ts';
import { type Cell, cellTable, distinct } from './cell-table.ts';
import { tones } from './percentiles.ts';

/** Throughput and latency by each axis, and a table of all cells. */
export function matrixSection({ groups }: RunResult): Markup {
  const cells = groups.filter(isCell);
  if (cells.length === 0) return html``;
  const axes = Object.keys(cells[0]?.place ?? {});
  const varied = axes.filter((axis) => distinct(cells, axis).length > 1);
  return html`${varied.map((axis) => axisSection(axis, cells, varied))}
<section><h2>All cells</h2>${cellTable(cells, axes)}</section>`;
}

/** A group without a place on an axis is a group of partners. */
function isCell(group: Group): group is Cell {
  return Object.keys(group.place ?? {}).length > 0;
}

const WRITTEN = { duration, dollars, count: figure } as const;

interface Quantity {
  readonly title: string;
  readonly y: Measure & { readonly kind: keyof typeof WRITTEN };
  readonly yLabel: string;
  readonly of: (cell: Cell) => number | null;
}

/** The quantities that the source of the matrix reports. */
const QUANTITIES: readonly Quantity[] = [
  {
    title: 'Throughput',
    y: { kind: 'count' },
    yLabel: 'delivered per second',
    of: rateOf,
  },
  ...(['p99', 'mean', 'p90', 'p95'] as const).map((name) => ({
    title: `Time to send, ${name === 'mean' ? 'average' : name}`,
    y: { kind: 'duration' } as const,
    yLabel: `time to send, ${name}`,
    of: (cell: Cell) => cell.latencies.time_to_send?.[name] ?? null,
  })),
  {
    title: 'Errors',
    y: { kind: 'count' },
    yLabel: 'failed attempts',
    of: (cell) => cell.failed_attempts,
  },
  {
    title: 'Garbage collection',
    y: { kind: 'count' },
    yLabel: '% of the workers’ time',
    of: (cell) => (cell.work === undefined ? null : cell.work.gc_share * 100),
  },
  {
    title: 'CPU per delivery',
    y: { kind: 'count' },
    yLabel: 'ms',
    of: (cell) => cell.work?.cpu_ms_per_delivery ?? null,
  },
  {
    title: 'Price of a million deliveries',
    y: { kind: 'dollars' },
    yLabel: 'list price',
    of: (cell) => cell.per_million ?? null,
  },
];
/** This many are shown; the others are in a collapsed section. */
const SHOWN = 2;

/** One line per value of the next axis, one panel per combination of the rest, all on one scale. */
function axisSection(axis: string, cells: readonly Cell[], varied: readonly string[]): Markup {
  const [byLine, ...byPanel] = varied.filter((other) => other !== axis);
  const panels = [...Map.groupBy(cells, (cell) => byPanel.map((other) => placed(cell, other)).join(', '))];
  const lines = linesBy(byLine, cells);
  const drawn = (quantity: Quantity) =>
    html`<h3>${quantity.title}</h3>${legend(lines)}<div class="panels">${panels.map(([title, some]) => {
      const summary = `${quantity.title} by ${spoken(axis)}${title && `, ${title}`}`;
      const chart = {
        ...chartOf(axis, quantity, cells),
        series: seriesOf(some, lines, axis, quantity),
        summary,
      };
      return figureOf({ title }, PANEL, (size) => lineChart(chart, size));
    })}</div>`;
  const known = QUANTITIES.filter(({ of }) => cells.some((cell) => of(cell) !== null));
  return html`<section class="panels-of"><h2>By ${spoken(axis)}</h2>
${axisTable(axis, cells)}
${known.slice(0, SHOWN).map(drawn)}
<details><summary>${known
    .slice(SHOWN)
    .map(({ title }) => title)
    .join(', ')}</summary>${known.slice(SHOWN).map(drawn)}</details></section>`;
}

/** One row per value of an axis: medians of its cells. */
function axisTable(axis: string, cells: readonly Cell[]): Markup {
  const known = QUANTITIES.filter(({ of }) => cells.some((cell) => of(cell) !== null));
  return html`<div class="scroll"><table class="numbers"><thead><tr><th scope="col">${spoken(axis)}</th><th scope="col">cells</th>${known.map(
    ({ title }) => html`<th scope="col">${title}</th>`,
  )}</tr></thead><tbody>${distinct(cells, axis).map((value) => {
    const some = cells.filter((cell) => cell.place[axis] === value);
    return html`<tr><th scope="row">${measured(axis, value)}</th><td>${count(some.length)}</td>${known.map(
      ({ y, of }) => {
        const values = some.flatMap((cell) => of(cell) ?? []);
        const middle = values.length === 0 ? undefined : median(values);
        return html`<td>${middle !== undefined && WRITTEN[y.kind](middle)}</td>`;
      },
    )}</tr>`;
  })}</tbody></table></div>
<p class="note">Each number is the median of the cells with that value.</p>`;
}

const PANEL = [{ width: 344, height: 230 }];

/** The shared scales of all panels of an axis. */
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

/** A value has the same colour in every panel. */
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

function placed(cell: Cell, axis: string): string {
  return `${spoken(axis)} ${measured(axis, cell.place[axis] ?? 0)}`;
}
