import type { Period } from '../results/run-result.ts';
import type { Markup } from './html.ts';
import { duration } from './numbers.ts';
import { type Figure, figure, TONES } from './svg.ts';

/** One series of a chart over time, with its points in order; null leaves a gap. */
export interface Series {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number | null }[];
  /** Dots instead of a line. @default false */
  readonly isDots?: boolean;
}

type Unit = 'ms' | 'count';

export const WIDE = { width: 980, height: 260 };
export const HALF = { width: 440, height: 190 };

/** Durations with a larger ratio between highest and lowest are drawn on a logarithmic scale. */
const LINEAR_UP_TO = 25;

/** Labels of a logarithmic axis, from a millisecond to 28 hours. */
const STEPS = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));

function axisOf(unit: Unit, title: string, values: readonly number[]) {
  const [least, most] = [Math.max(1, Math.min(...values)), Math.max(...values)];
  const axis = unit === 'ms' ? { labelExpr: MS } : {};
  if (unit !== 'ms' || most <= LINEAR_UP_TO * least) {
    return { type: 'quantitative', title, axis: { ...axis, tickCount: 5 } };
  }
  const from = STEPS.findLastIndex((step) => step <= least);
  const steps = STEPS.slice(from, STEPS.findIndex((step) => step >= most) + 1);
  return {
    type: 'quantitative',
    title: `${title}, logarithmic scale`,
    axis: { ...axis, values: steps },
    scale: { type: 'log', domain: [steps[0], steps.at(-1)], nice: false },
  };
}

const MS = "datum.value < 1000 ? datum.value + ' ms' : datum.value / 1000 + ' s'";
const CLOCK = "floor(datum.value / 60) + ':' + pad(floor(datum.value % 60), 2, '0', 'left')";

/** Lines over the seconds of a run, with the periods in which something was wrong behind them. */
export function overTime(
  text: Figure,
  given: {
    readonly series: readonly Series[];
    readonly unit: Unit;
    readonly yTitle: string;
    readonly size: typeof WIDE;
    readonly periods?: readonly Period[] | undefined;
  },
): Promise<Markup> {
  const { series, unit, yTitle, size, periods = [] } = given;
  const values = series.flatMap(({ name, points }) =>
    // The history has whole milliseconds, and a logarithm no zero.
    points.map(({ x, y }) => ({ name, x, y: y !== null && unit === 'ms' ? Math.max(1, y) : y })),
  );
  const shown = (isDots: boolean) => ({
    filter: {
      field: 'name',
      oneOf: series.filter((one) => (one.isDots ?? false) === isDots).map(({ name }) => name),
    },
  });
  const encoding = {
    x: {
      field: 'x',
      type: 'quantitative',
      title: 'time into the run',
      axis: { grid: false, labelExpr: CLOCK, tickMinStep: 1 },
      scale: { nice: false },
    },
    y: {
      field: 'y',
      ...axisOf(
        unit,
        yTitle,
        values.flatMap(({ y }) => y ?? []),
      ),
    },
    color: {
      field: 'name',
      type: 'nominal',
      scale: { domain: series.map(({ name }) => name), range: TONES },
      ...(series.length === 1 ? { legend: null } : {}),
    },
  };
  return figure(text, {
    ...size,
    data: { values },
    layer: [
      ...bands(periods),
      { transform: [shown(false)], mark: 'line', encoding },
      { transform: [shown(true)], mark: { type: 'point', filled: true, size: 14 }, encoding },
    ],
  });
}

/** A period of all partners, such as the baseline, has no tint. */
function bands(periods: readonly Period[]) {
  if (periods.length === 0) return [];
  const values = periods.map((period, row) => ({ ...period, row, label: labelOf(period) }));
  const x = { field: 'from_seconds', type: 'quantitative' };
  return [
    {
      data: { values: values.filter(({ group }) => group !== undefined) },
      mark: { type: 'rect', fill: 'var(--ink)', opacity: 0.07 },
      encoding: { x, x2: { field: 'to_seconds' } },
    },
    ...values.map((one, row) => ({
      data: { values: [one] },
      mark: { type: 'text', align: 'left', dx: 4, y: 8 + row * 14 },
      encoding: { x, text: { field: 'label' } },
    })),
  ];
}

export function labelOf({ group, what, from_seconds, to_seconds }: Period): string {
  return group === undefined
    ? what
    : `${group}: ${what} for ${duration(Math.round((to_seconds - from_seconds) * 10) * 100)}`;
}

interface CellPoint {
  readonly panel: string;
  readonly line: string;
  readonly x: string;
  readonly y: number;
}

/** A quantity by the values of one axis: a line for each value of the next, a panel for each of the rest. */
export function byAxis(
  text: Figure,
  given: {
    readonly points: readonly CellPoint[];
    readonly xTitle: string;
    readonly unit: Unit;
    readonly yTitle: string;
  },
): Promise<Markup> {
  const { points, xTitle, unit, yTitle } = given;
  const distinct = (of: 'panel' | 'line' | 'x') => [...new Set(points.map((point) => point[of]))];
  return figure(text, {
    data: { values: points },
    facet: { field: 'panel', type: 'nominal', sort: distinct('panel') },
    columns: 3,
    spec: {
      width: 260,
      height: 170,
      mark: { type: 'line', point: true },
      encoding: {
        x: { field: 'x', type: 'ordinal', sort: distinct('x'), title: xTitle, axis: { labelAngle: 0 } },
        y: {
          field: 'y',
          ...axisOf(
            unit,
            yTitle,
            points.map(({ y }) => y),
          ),
        },
        color: { field: 'line', type: 'nominal', scale: { domain: distinct('line'), range: TONES } },
      },
    },
  });
}
