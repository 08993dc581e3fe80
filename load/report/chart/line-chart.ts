import { area, line } from 'd3-shape';
import { html, type Markup } from '../html.ts';
import { dollars, duration, figure } from '../numbers.ts';
import { BAND_ROW, type Band, drawnBands, placed, rowsOf } from './bands.ts';
import { axisLabel, clock, type Measure, px, type Scale, scaleOf } from './scales.ts';

/** One of the six colours of the style sheet, each with a dash of its own for those who do not tell them apart. */
export type Tone = 1 | 2 | 3 | 4 | 5 | 6;

export interface Series {
  readonly name: string;
  readonly tone: Tone;
  readonly look: 'line' | 'area' | 'dots';
  /** In the order of x; null where there was nothing to measure, which leaves a gap. */
  readonly points: readonly { readonly x: number; readonly y: number | null }[];
}

export interface LineChart {
  readonly x: Measure;
  readonly xLabel: string;
  readonly y: Measure;
  readonly yLabel: string;
  readonly series: readonly Series[];
  /** Parts of the x axis that are marked behind the lines. @default - none */
  readonly bands?: readonly Band[];
  /** What somebody hears who does not see the chart. */
  readonly summary: string;
  /** Values that the axes reach at least, so that charts beside each other have the same scale. */
  readonly reach?: { readonly x: readonly number[]; readonly y: readonly number[] };
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const TOP = 30;
/** Where lines over the whole height begin, above the highest value. */
const LINES_TOP = TOP - 6;
const BOTTOM = 40;
const RIGHT = 14;
/** Of the numbers of a 12 px system font. */
const CHARACTER_WIDTH = 6.8;

export function lineChart(chart: LineChart, { width, height }: Size): Markup {
  const points = chart.series.flatMap((one) => one.points);
  const ys = [...points.flatMap(({ y }) => y ?? []), ...(chart.reach?.y ?? [])];
  const xs = [...points.map(({ x }) => x), ...(chart.reach?.x ?? [])];
  const y = scaleOf(chart.y, ys, [height - BOTTOM, TOP], 30);
  const left = 12 + CHARACTER_WIDTH * Math.max(...y.circuitTimers.map(({ text }) => text.length));
  const x = scaleOf(chart.x, xs, [left, width - RIGHT], 64);
  const bands = placed(chart.bands ?? [], x.at, { left, right: width - RIGHT });
  // Names of bands make the chart higher, so that what is drawn in it keeps its place.
  const names = rowsOf(bands) * BAND_ROW;
  const headY = 12 - names;
  return html`<svg class="chart" viewBox="0 ${-names} ${width} ${height + names}" width="${width}" height="${height + names}" role="img" aria-label="${chart.summary}">
${drawnBands(bands, LINES_TOP, height - BOTTOM)}
${grid(x, y, left, width, height)}
<text class="axis-label above" x="0" y="${headY}">${axisLabel(chart.yLabel, y)}</text>
<text class="axis-label end" x="${width - RIGHT}" y="${height - 4}">${chart.xLabel}</text>
${dotsLast(chart.series).map((one) => drawn(one, x, y, chart.x.kind === 'steps'))}
${readouts(chart, x, y, { width, height, headY })}
</svg>`;
}

function grid(x: Scale, y: Scale, left: number, width: number, height: number): Markup {
  const rows = y.circuitTimers.map(
    ({
      at,
      text,
    }) => html`<line class="grid" x1="${left}" x2="${width - RIGHT}" y1="${px(at)}" y2="${px(at)}"/>
<text class="tick end" x="${px(left - 8)}" y="${px(at + 4)}">${text}</text>`,
  );
  const columns = x.circuitTimers.map(
    ({
      at,
      text,
    }) => html`<line class="mark" x1="${px(at)}" x2="${px(at)}" y1="${height - BOTTOM}" y2="${height - BOTTOM + 5}"/>
<text class="tick middle" x="${px(at)}" y="${height - BOTTOM + 18}">${text}</text>`,
  );
  return html`${rows}${columns}`;
}

/** A dot on a line is seen above it, and not below. */
function dotsLast(series: readonly Series[]): Series[] {
  return [...series].sort((a, b) => Number(a.look === 'dots') - Number(b.look === 'dots'));
}

function drawn(series: Series, x: Scale, y: Scale, isMarked: boolean): Markup {
  const places = series.points.map((one) => ({ x: x.at(one.x), y: one.y === null ? null : y.at(one.y) }));
  const tone = `tone-${series.tone}`;
  const dots = (radius: number) =>
    places.map(
      (one) =>
        one.y !== null &&
        html`<circle class="dot ${tone}" cx="${px(one.x)}" cy="${px(one.y)}" r="${radius}"/>`,
    );
  if (series.look === 'dots') {
    return html`<g class="dots">${dots(2.8)}</g>`;
  }
  const stroke = line<(typeof places)[number]>(
    ({ x }) => x,
    ({ y }) => y ?? 0,
  )
    .defined(({ y }) => y !== null)
    .digits(1);
  const filled = area<(typeof places)[number]>(
    ({ x }) => x,
    y.at(0),
    ({ y }) => y ?? 0,
  )
    .defined(({ y }) => y !== null)
    .digits(1);
  return html`${series.look === 'area' && html`<path class="fill ${tone}" d="${filled(places)}"/>`}<path class="line ${tone}" d="${stroke(places)}"/>${
    (isMarked || places.length < 3) && dots(3.5)
  }`;
}

/** Without a script: what the pointer is over shows its numbers in the line above the chart. */
function readouts(
  chart: LineChart,
  x: Scale,
  y: Scale,
  { width, height, headY }: Size & { readonly headY: number },
): Markup {
  const at = new Map<number, { series: Series; y: number }[]>();
  for (const series of chart.series) {
    for (const point of series.points) {
      if (point.y !== null) {
        at.set(point.x, [...(at.get(point.x) ?? []), { series, y: point.y }]);
      }
    }
  }
  const all = [...at.entries()].sort(([a], [b]) => a - b);
  const every = Math.ceil(all.length / (width / 8));
  const some = all.filter((_, index) => index % every === 0);
  const end = Math.max(...all.map(([value]) => value), 0);
  const edge = (index: number) => x.at(some[index]?.[0] ?? 0);
  return html`${some.map(([value, here], index) => {
    const from = index === 0 ? edge(0) - 12 : (edge(index - 1) + edge(index)) / 2;
    const to = index === some.length - 1 ? edge(index) + 12 : (edge(index) + edge(index + 1)) / 2;
    const numbers = here.map((one) => `${one.series.name} ${written(chart.y, one.y, end)}`).join(' · ');
    return html`<g class="here"><rect x="${px(from)}" y="${LINES_TOP}" width="${px(to - from)}" height="${height - BOTTOM - LINES_TOP}"/><line x1="${px(edge(index))}" x2="${px(edge(index))}" y1="${LINES_TOP}" y2="${height - BOTTOM}"/>${here.map(
      (one) =>
        html`<circle class="tone-${one.series.tone}" cx="${px(edge(index))}" cy="${px(y.at(one.y))}" r="4"/>`,
    )}<text class="end" x="${width - RIGHT}" y="${headY}">${written(chart.x, value, end)}: ${numbers}</text></g>`;
  })}`;
}

function written(measure: Measure, value: number, end: number): string {
  switch (measure.kind) {
    case 'duration':
      return duration(value);
    case 'count':
      return figure(value);
    case 'dollars':
      return dollars(value);
    case 'seconds':
      return clock(value, end);
    case 'steps':
      return measure.text(value);
  }
}
