import { area, line } from 'd3-shape';
import { html, type Markup } from '../html.ts';
import { dollars, duration, figure } from '../numbers.ts';
import { BAND_ROW, type Band, drawnBands, placed, rowsOf } from './bands.ts';
import { axisLabel, clock, type Measure, px, type Scale, scaleOf } from './scales.ts';

/**
 * One of six colours in the style sheet. Each also has its own dash, for people who cannot tell the colours
 * apart.
 */
export type Tone = 1 | 2 | 3 | 4 | 5 | 6;

export interface Series {
  readonly name: string;
  readonly tone: Tone;
  readonly look: 'line' | 'area' | 'dots';
  /** Ordered by x; null leaves a gap. */
  readonly points: readonly { readonly x: number; readonly y: number | null }[];
}

export interface LineChart {
  readonly x: Measure;
  readonly xLabel: string;
  readonly y: Measure;
  readonly yLabel: string;
  readonly series: readonly Series[];
  /** Marked parts of the x axis. @default - none */
  readonly bands?: readonly Band[];
  /** Text for screen readers. */
  readonly summary: string;
  /** Values that the axes include, so that charts side by side share a scale. */
  readonly reach?: { readonly x: readonly number[]; readonly y: readonly number[] };
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const TOP = 30;
/** Top of vertical lines, above the highest value. */
const LINES_TOP = TOP - 6;
const BOTTOM = 40;
const RIGHT = 14;
/** Width of a digit in a 12 px system font. */
const CHARACTER_WIDTH = 6.8;

export function lineChart(chart: LineChart, { width, height }: Size): Markup {
  const points = chart.series.flatMap((one) => one.points);
  const ys = [...points.flatMap(({ y }) => y ?? []), ...(chart.reach?.y ?? [])];
  const xs = [...points.map(({ x }) => x), ...(chart.reach?.x ?? [])];
  const y = scaleOf(chart.y, ys, [height - BOTTOM, TOP], 30);
  const left = 12 + CHARACTER_WIDTH * Math.max(...y.ticks.map(({ text }) => text.length));
  const x = scaleOf(chart.x, xs, [left, width - RIGHT], 64);
  const bands = placed(chart.bands ?? [], x.at, { left, right: width - RIGHT });
  // Band names add height, so that the rest of the chart keeps its place.
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
  const rows = y.ticks.map(
    ({
      at,
      text,
    }) => html`<line class="grid" x1="${left}" x2="${width - RIGHT}" y1="${px(at)}" y2="${px(at)}"/>
<text class="tick end" x="${px(left - 8)}" y="${px(at + 4)}">${text}</text>`,
  );
  const columns = x.ticks.map(
    ({
      at,
      text,
    }) => html`<line class="mark" x1="${px(at)}" x2="${px(at)}" y1="${height - BOTTOM}" y2="${height - BOTTOM + 5}"/>
<text class="tick middle" x="${px(at)}" y="${height - BOTTOM + 18}">${text}</text>`,
  );
  return html`${rows}${columns}`;
}

/** Dots are drawn last, so that lines do not hide them. */
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

/** Works without a script: the numbers at the pointer appear in the line above the chart. */
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
