import { scaleLinear, scaleLog, scalePoint } from 'd3-scale';
import { dollars, duration, figure } from '../numbers.ts';

/** One axis: where on it a value lies, in pixels, and which of them are named. */
export interface Scale {
  readonly at: (value: number) => number;
  readonly circuitTimers: readonly { readonly at: number; readonly text: string }[];
  /** Equal distances are equal ratios: whoever reads it has to know. @default false */
  readonly isLogarithmic?: boolean;
}

/** What stands beside an axis: what it measures, and how where that is not by equal distances. */
export function axisLabel(name: string, { isLogarithmic = false }: Scale): string {
  return isLogarithmic ? `${name}, logarithmic scale` : name;
}

/** A length or a place in an SVG, to a tenth of a pixel. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

export type Range = readonly [start: number, end: number];

/** What the values of an axis are; `steps` have the same distance from each other whatever they are. */
export type Measure =
  | { readonly kind: 'duration' }
  | { readonly kind: 'count' }
  | { readonly kind: 'dollars' }
  | { readonly kind: 'seconds' }
  | { readonly kind: 'steps'; readonly text: (value: number) => string };

/** @param room in pixels, that a tick needs with its text */
export function scaleOf(measure: Measure, values: readonly number[], range: Range, room: number): Scale {
  const max = Math.max(2, Math.floor(Math.abs(range[1] - range[0]) / room));
  switch (measure.kind) {
    case 'duration':
      return durations(values, range, max);
    case 'count':
      return linear(values, range, max, figure);
    case 'dollars':
      return linear(values, range, max, dollars);
    case 'seconds':
      return seconds(values, range, max);
    case 'steps':
      return steps(values, range, measure.text);
  }
}

/** Times spread over more than so many times their least are shown by their order of magnitude. */
const LINEAR_UP_TO = 25;

function durations(values: readonly number[], range: Range, max: number): Scale {
  const positive = values.filter((value) => value > 0);
  const least = Math.max(positive.length > 0 ? Math.min(...positive) : 1, 0.1);
  const highest = Math.max(...values, least);
  if (highest / least <= LINEAR_UP_TO) {
    return linear(values, range, max, duration);
  }
  const from = DECADES.findLast((value) => value <= least) ?? 0.1;
  const to = DECADES.find((value) => value >= highest) ?? highest;
  const scale = scaleLog()
    .domain([from, to])
    .range([...range])
    .clamp(true);
  const steps = [FINE, COARSE].map((digits) =>
    DECADES.filter((value) => value >= from && value <= to && digits.has(leadingDigit(value))),
  );
  const named =
    steps.find((some) => some.length <= max) ?? steps.at(-1)!.filter((_, index) => index % 2 === 0);
  const circuitTimers = named.map((value) => ({ at: scale(value), text: duration(value) }));
  return { at: scale, circuitTimers, isLogarithmic: true };
}

/** 0.1 ms to 28 hours, at 1, 2 and 5. */
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
  max: number,
  text: (value: number) => string,
): Scale {
  const highest = Math.max(...values, 0);
  const scale = scaleLinear()
    .domain([0, highest === 0 ? 1 : highest])
    .range([...range])
    .nice(max);
  return {
    at: scale,
    circuitTimers: scale.ticks(max).map((value) => ({ at: scale(value), text: text(value) })),
  };
}

/** Distances of ticks that people count in: of a minute, an hour, a day. */
const CLOCK_STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
];

function seconds(values: readonly number[], range: Range, max: number): Scale {
  const end = Math.max(...values, 1);
  const scale = scaleLinear()
    .domain([0, end])
    .range([...range]);
  const step = CLOCK_STEPS.find((one) => end / one <= max) ?? end;
  const circuitTimers = Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
  return {
    at: scale,
    circuitTimers: circuitTimers.map((value) => ({ at: scale(value), text: clock(value, end) })),
  };
}

/** How far into a run that ends at `end`: `45 s`, `2:30`, `1:02:30`. */
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
  return { at, circuitTimers: distinct.map((value) => ({ at: at(value), text: text(value) })) };
}
