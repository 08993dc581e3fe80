import type { Percentiles } from '../../results/run-result.ts';
import { html, type Markup } from '../html.ts';
import { duration } from '../numbers.ts';
import type { Size, Tone } from './line-chart.ts';
import { axisLabel, px, scaleOf } from './scales.ts';

export interface RangeRow {
  readonly name: string;
  readonly tone: Tone;
  readonly percentiles: Percentiles;
}

export const PERCENTILES = ['p50', 'p90', 'p95', 'p99', 'max'] as const;
/** Which dots are labelled first when there is no room for all. */
const NAMED_FIRST = ['p50', 'max', 'p99', 'p90', 'p95'] as const;

const MARGIN = 40;
/** Below the rows, in pixels: tick labels, and the axis label. */
const TICKS = 34;
const AXIS_LABEL = 16;
/** Width of a character of a dot's label. */
const CHARACTER_WIDTH = 6.3;
/** From this width, row names stand beside the rows instead of above. */
const BESIDE_FROM = 600;
const GUTTER = 180;

/** One row per set of percentiles: a bar from the median to p99, and a line to the slowest. */
export function rangeChart(
  rows: readonly RangeRow[],
  summary: string,
  { width }: Pick<Size, 'width'>,
): Markup {
  const isBeside = width >= BESIDE_FROM;
  const row = isBeside ? { height: 56, y: 26 } : { height: 76, y: 46 };
  const height = rows.length * row.height + TICKS + AXIS_LABEL;
  const left = isBeside ? GUTTER : 0;
  const values = rows.flatMap(({ percentiles }) => PERCENTILES.map((name) => percentiles[name]));
  const x = scaleOf({ kind: 'duration' }, values, [left + MARGIN, width - MARGIN], 78);
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${summary}">
${x.ticks.map(
  ({
    at,
    text,
  }) => html`<line class="grid" x1="${px(at)}" x2="${px(at)}" y1="6" y2="${height - AXIS_LABEL - 26}"/>
<text class="tick middle" x="${px(at)}" y="${height - AXIS_LABEL - 8}">${text}</text>`,
)}
<text class="axis-label end" x="${width}" y="${height - 4}">${axisLabel('time', x)}</text>
${rows.map(({ name: rowName, tone, percentiles }, index) => {
  const y = index * row.height + row.y;
  const at = (name: (typeof PERCENTILES)[number]) => px(x.at(percentiles[name]));
  return html`<text class="row-name" x="0" y="${isBeside ? y + 5 : y - 22}">${rowName}</text>
<line class="whisker tone-${tone}" x1="${at('p99')}" x2="${at('max')}" y1="${y}" y2="${y}"/>
<line class="span tone-${tone}" x1="${at('p50')}" x2="${at('p99')}" y1="${y}" y2="${y}"/>
${PERCENTILES.map(
  (name) =>
    html`<circle class="stop stop-${name} tone-${tone}" cx="${at(name)}" cy="${y}" r="${name === 'p50' ? 6 : 4}"><title>${rowName}, ${name}: ${duration(percentiles[name])}</title></circle>`,
)}
${labels(percentiles, x.at).map(({ at, text }) => html`<text class="value middle" x="${px(at)}" y="${y + 20}">${text}</text>`)}`;
})}
</svg>`;
}

/** Labels under the dots, as far as they do not overlap. */
function labels(percentiles: Percentiles, at: (value: number) => number): { at: number; text: string }[] {
  const placed: { at: number; text: string }[] = [];
  for (const name of NAMED_FIRST) {
    const here = { at: at(percentiles[name]), text: `${name} ${duration(percentiles[name])}` };
    const isFree = placed.every(
      (other) =>
        Math.abs(other.at - here.at) > ((other.text.length + here.text.length) / 2) * CHARACTER_WIDTH + 8,
    );
    if (isFree) {
      placed.push(here);
    }
  }
  return placed;
}
