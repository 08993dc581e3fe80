import { rateOf } from '../../results/judge-run.ts';
import type { Group, RunResult } from '../../results/run-result.ts';
import { byAxis } from '../charts.ts';
import { html, type Markup } from '../html.ts';
import { count, dollars, duration, figure, measured, perSecond, share, spoken } from '../numbers.ts';

type Cell = Group & { readonly place: Readonly<Record<string, number>> };

/** Throughput and latency by each axis, and a table of all cells. */
export async function matrixSection({ groups }: RunResult): Promise<Markup> {
  const cells = groups.filter(isCell).sort(byPlace);
  if (cells.length === 0) return html``;
  const axes = Object.keys(cells[0]?.place ?? {});
  const varied = axes.filter((axis) => new Set(cells.map(({ place }) => place[axis])).size > 1);
  const sections: Markup[] = [];
  for (const axis of varied) sections.push(await axisSection(axis, cells, varied));
  return html`${sections}<section><h2>All cells</h2>${cellTable(cells, axes)}</section>`;
}

/** A group without a place on an axis is a group of partners. */
function isCell(group: Group): group is Cell {
  return Object.keys(group.place ?? {}).length > 0;
}

function byPlace(a: Cell, b: Cell): number {
  const orders = Object.keys(a.place).map((axis) => (a.place[axis] ?? 0) - (b.place[axis] ?? 0));
  return orders.find((order) => order !== 0) ?? 0;
}

/** One line per value of the next axis, one panel per combination of the rest, all on one scale. */
async function axisSection(axis: string, cells: readonly Cell[], varied: readonly string[]): Promise<Markup> {
  const [byLine, ...byPanel] = varied.filter((other) => other !== axis);
  const at = (cell: Cell, some: readonly (string | undefined)[]) =>
    some
      .map((one) => (one === undefined ? 'all' : `${spoken(one)} ${measured(one, cell.place[one] ?? 0)}`))
      .join(', ');
  const chart = (
    title: string,
    unit: 'ms' | 'count',
    yTitle: string,
    of: (cell: Cell) => number | undefined,
  ) =>
    byAxis(
      { title, description: `${title} by ${spoken(axis)}` },
      {
        points: [...cells]
          .sort((a, b) => (a.place[axis] ?? 0) - (b.place[axis] ?? 0))
          .flatMap((cell) => {
            const y = of(cell);
            const x = measured(axis, cell.place[axis] ?? 0);
            return y === undefined ? [] : [{ panel: at(cell, byPanel), line: at(cell, [byLine]), x, y }];
          }),
        xTitle: spoken(axis),
        unit,
        yTitle,
      },
    );
  return html`<section><h2>By ${spoken(axis)}</h2>
${await chart('Throughput', 'count', 'delivered per second', rateOf)}
${await chart('Time to send, p99', 'ms', 'p99', ({ latencies }) => latencies.time_to_send?.p99)}</section>`;
}

const COLUMNS: readonly (readonly [string, (cell: Cell) => string | undefined])[] = [
  ['per second', (cell) => perSecond(rateOf(cell))],
  ['delivered', ({ delivered, expected }) => `${count(delivered)} of ${count(expected)}`],
  ...(['mean', 'p50', 'p90', 'p95', 'p99'] as const).map(
    (name) =>
      [
        name === 'mean' ? 'average' : name,
        ({ latencies }: Cell) => latencies.time_to_send && duration(latencies.time_to_send[name]),
      ] as const,
  ),
  ['errors', ({ failed_attempts }) => figure(failed_attempts)],
  ['own CPU', ({ work }) => work && `${figure(work.cpu_ms_per_delivery)} ms`],
  ['loop delay p99', ({ work }) => work && duration(work.event_loop_delay_ms_p99)],
  ['GC', ({ work }) => work && share(work.gc_share)],
  [
    'list price per million',
    ({ per_million }) => (per_million === undefined ? undefined : dollars(per_million)),
  ],
  ['empty pipeline p50', ({ empty }) => empty && duration(empty.p50)],
];

/** One row per cell; a column that no cell has is left out. */
function cellTable(cells: readonly Cell[], axes: readonly string[]): Markup {
  const columns = COLUMNS.filter(([, of]) => cells.some((cell) => of(cell) !== undefined));
  return html`<div class="scroll"><table class="numbers"><thead><tr>${[...axes.map(spoken), ...columns.map(([name]) => name)].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${cells.map(
    (cell) =>
      html`<tr>${axes.map((axis) => html`<th scope="row">${measured(axis, cell.place[axis] ?? 0)}</th>`)}${columns.map(([, of]) => html`<td>${of(cell)}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}
