import { scaleLinear, scaleLog, scalePoint } from 'd3-scale';
import { dollars, duration, figure } from '../numbers.ts';

/** An axis: the position of a value in pixels, and its labelled ticks. */
export interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
  /** Equal distances are equal ratios. @default false */
  readonly isLogarithmic?: boolean;
}

/** The label of an axis, which says when it is logarithmic. */
export function axisLabel(name: string, { isLogarithmic = false }: Scale): string {
  return isLogarithmic ? `${name}, logarithmic scale` : name;
}

/** A length or position in an SVG, to a tenth of a pixel. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

type Range = readonly [start: number, end: number];

/** The values of an axis. `steps` are evenly spaced, whatever their values. */
export type Measure =
  | { readonly kind: 'duration' }
  | { readonly kind: 'count' }
  | { readonly kind: 'dollars' }
  | { readonly kind: 'seconds' }
  | { readonly kind: 'steps'; readonly text: (value: number) => string };

/** @param room pixels that a tick needs with its text */
export function scaleOf(measure: Measure, values: readonly number[], range: Range, room: number): Scale {
  const maxTicks = Math.max(2, Math.floor(Math.abs(range[1] - range[0]) / room));
  switch (measure.kind) {
    case 'duration':
      return durations(values, range, maxTicks);
    case 'count':
      return linear(values, range, maxTicks, figure);
    case 'dollars':
      return linear(values, range, maxTicks, dollars);
    case 'seconds':
      return seconds(values, range, maxTicks);
    case 'steps':
      return steps(values, range, measure.text);
  }
}

/** Durations with a larger ratio between highest and lowest are drawn on a logarithmic scale. */
const LINEAR_UP_TO = 25;

function durations(values: readonly number[], range: Range, maxTicks: number): Scale {
  const positive = values.filter((value) => value > 0);
  const lowest = Math.max(positive.length > 0 ? Math.min(...positive) : 1, 0.1);
  const highest = Math.max(...values, lowest);
  if (highest / lowest <= LINEAR_UP_TO) return linear(values, range, maxTicks, duration);
  const from = DECADES.findLast((value) => value <= lowest) ?? 0.1;
  const to = DECADES.find((value) => value >= highest) ?? highest;
  const scale = scaleLog()
    .domain([from, to])
    .range([...range])
    .clamp(true);
  const steps = [FINE, COARSE].map((digits) =>
    DECADES.filter((value) => value >= from && value <= to && digits.has(leadingDigit(value))),
  );
  const named =
    steps.find((some) => some.length <= maxTicks) ?? steps.at(-1)!.filter((_, index) => index % 2 === 0);
  const ticks = named.map((value) => ({ at: scale(value), text: duration(value) }));
  return { at: scale, ticks, isLogarithmic: true };
}

/** Ticks from 0.1 ms to 28 hours, at 1, 2 and 5. */
const DECADES = [-1, 0, 1, 2, 3, 4, 5, 6, 7].flatMap((power) =>
  [1, 2, 5].map((digit) => Number(`${digit}e${power}`)),
);
const FINE = new Set([1, 2, 5]);
const COARSE = new Set([1]);

function leadingDigit(value: number): number {
  return Number(value.toExponential()[0]);
}

function linear(
  values: readonly number[],
  range: Range,
  maxTicks: number,
  text: (value: number) => string,
): Scale {
  const highest = Math.max(...values, 0);
  const scale = scaleLinear()
    .domain([0, highest === 0 ? 1 : highest])
    .range([...range])
    .nice(maxTicks);
  return {
    at: scale,
    ticks: scale.ticks(maxTicks).map((value) => ({ at: scale(value), text: text(value) })),
  };
}

/** Tick distances, in seconds, that people count in. */
const CLOCK_STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
];

function seconds(values: readonly number[], range: Range, maxTicks: number): Scale {
  const end = Math.max(...values, 1);
  const scale = scaleLinear()
    .domain([0, end])
    .range([...range]);
  const step = CLOCK_STEPS.find((one) => end / one <= maxTicks) ?? end;
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
  return {
    at: scale,
    ticks: ticks.map((value) => ({ at: scale(value), text: clock(value, end) })),
  };
}

/** Time into a run that ends at `end`: `45 s`, `2:30`, `1:02:30`. */
export function clock(second: number, end: number): string {
  if (end < 120) {
    return `${figure(second)} s`;
  }
  const [hours, minutes, rest] = [
    Math.floor(second / 3600),
    Math.floor(second / 60) % 60,
    Math.floor(second % 60),
  ];
  const tail = String(rest).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

function steps(values: readonly number[], range: Range, text: (value: number) => string): Scale {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  const scale = scalePoint<number>(distinct, [...range]).padding(0.15);
  const at = (value: number) => scale(value) ?? range[0];
  return { at, ticks: distinct.map((value) => ({ at: at(value), text: text(value) })) };
}
