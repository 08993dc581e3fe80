import type { Point, RunResult } from '../../results/run-result.ts';
import { figureOf, HALF } from '../chart/figure.ts';
import { type LineChart, lineChart, type Series } from '../chart/line-chart.ts';
import type { Measure } from '../chart/scales.ts';
import { html, type Markup } from '../html.ts';
import { pointsOf } from './over-time.ts';
import { LATENCIES, measuredOf, ranges } from './percentiles.ts';

interface Quantity {
  readonly title: string;
  readonly y: Measure;
  readonly yLabel: string;
  readonly of: (point: Point, run: RunResult) => number | null;
}

const QUANTITIES: readonly Quantity[] = [
  {
    title: 'Time to send, p99',
    y: { kind: 'duration' },
    yLabel: 'p99',
    of: (point) => point.time_to_send_p99,
  },
  {
    title: 'Time to send, median',
    y: { kind: 'duration' },
    yLabel: 'median',
    of: (point) => point.time_to_send_p50,
  },
  {
    title: 'Delivered',
    y: { kind: 'count' },
    yLabel: 'per second',
    of: (point, run) => point.delivered / run.second_width,
  },
  {
    title: 'Not yet accepted',
    y: { kind: 'count' },
    yLabel: 'messages',
    of: (point) => point.backlog,
  },
];

/** Both runs in each chart, on the same scales. */
export function comparedCharts(a: RunResult, b: RunResult): Markup {
  const shown = QUANTITIES.filter(({ of }) =>
    [a, b].some((run) => run.points.some((point) => of(point, run) !== null)),
  );
  return html`${shown.length > 0 && html`<section><h2>Over the run</h2><div class="halves pairs">${shown.map((quantity) => overlaid(quantity, a, b))}</div></section>`}
${latencyRanges(a, b)}`;
}

function overlaid(quantity: Quantity, a: RunResult, b: RunResult): Markup {
  const line = (name: string, tone: 1 | 2, run: RunResult): Series => ({
    name,
    tone,
    look: 'line',
    points: pointsOf(run.points, (point) => quantity.of(point, run)),
  });
  const series = [line('A', 1, a), line('B', 2, b)];
  const chart: LineChart = {
    x: { kind: 'seconds' },
    xLabel: 'time into the run',
    y: quantity.y,
    yLabel: quantity.yLabel,
    series,
    summary: `${quantity.title} of both runs over time`,
  };
  return figureOf({ title: quantity.title, legend: series }, HALF, (size) => lineChart(chart, size));
}

function latencyRanges(a: RunResult, b: RunResult): Markup {
  const rows = LATENCIES.flatMap(({ key, name }) =>
    (
      [
        ['A', 1, a],
        ['B', 2, b],
      ] as const
    ).flatMap(([label, tone, run]) => {
      const percentiles = measuredOf(run.latencies, key);
      return percentiles ? [{ name: `${name}, ${label}`, tone, percentiles }] : [];
    }),
  );
  return html`${rows.length > 0 && html`<section><h2>Latencies</h2>${ranges('Latencies', 'a bar from the median to p99, a line to the slowest', rows)}</section>`}`;
}
