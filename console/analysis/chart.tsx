import type { AnalysisTable } from '../../functions/core/analysis/analysis-table.ts';
import { TEXT } from '../texts.ts';
import { useWidth } from '../view/use-width.ts';
import { visible } from '../words/visible.ts';
import { bars } from './bars.tsx';
import { written } from './cells.ts';
import { lines } from './lines.tsx';
import { HEIGHT, LEFT, namesIn, type Plot } from './plot.ts';
import type { Time } from './question.ts';
import { useBrush } from './use-brush.ts';

const FOOT = 22;

interface ChartProps {
  /** Its rows begin with a time, and if it has groups, with one of them. */
  readonly table: AnalysisTable;
  /** All of its period, in order; many may have nothing. */
  readonly times: readonly Time[];
  readonly until: string;
  readonly chosen: (since: string, until: string) => void;
}

/**
 * An answer over its days or hours: lines of percentiles where it has them, else bars, in them a part for each
 * group. Dragging over it chooses a part of the period, and so do the arrow keys.
 */
export function Chart({ table, times, until, chosen }: ChartProps) {
  const text = TEXT.analysis;
  const [place, width] = useWidth<HTMLElement>(344);
  const groups = Number(table.columns[1] !== undefined && table.totals[1] === '') + 1;
  const plot: Plot = {
    table,
    times,
    groups,
    names: namesIn(table, groups),
    step: (width - LEFT) / Math.max(1, times.length),
  };
  const endOf = (index: number) => times[index + 1]?.since ?? until;
  const brush = useBrush(times.length, plot.step, (from, to) => chosen(times[from]?.since ?? '', endOf(to)));
  const isOfTimes = table.columns.includes('p95_ms');
  const { marks, ticks } = (isOfTimes ? lines : bars)(plot);
  const [first = '', last = ''] = [times[0]?.name, times.at(-1)?.name];
  const what = text.chart(isOfTimes ? text.percentiles : text.column(table.columns[groups] ?? ''));
  const span = brush.span && [
    written('day', times[brush.span[0]]?.since ?? ''),
    written('day', endOf(brush.span[1])),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys choose a part of the period
    <section ref={place} class="brush" tabIndex={0} aria-label={what} {...brush.keys}>
      <svg
        class="chart"
        viewBox={`0 0 ${width} ${HEIGHT + FOOT}`}
        width={width}
        height={HEIGHT + FOOT}
        role="img"
        aria-label={what}
        {...brush.pointer}
      >
        {ticks.map(({ y, label }) => (
          <g key={label}>
            <line class="grid" x1={LEFT} x2={width} y1={y} y2={y} />
            <text class="end" x={LEFT - 8} y={y + 4}>
              {label}
            </text>
          </g>
        ))}
        {marks}
        {brush.span && (
          <rect
            class="fill tone-1"
            x={LEFT + brush.span[0] * plot.step}
            width={(brush.span[1] - brush.span[0] + 1) * plot.step}
            height={HEIGHT}
          />
        )}
        <text x={LEFT} y={HEIGHT + 16}>
          {written('day', first)}
        </text>
        {first !== last && (
          <text class="end" x={width} y={HEIGHT + 16}>
            {written('day', last)}
          </text>
        )}
      </svg>
      <p class="soft" aria-live="polite">
        {span ? text.brushed(span[0] ?? '', span[1] ?? '') : text.brush}
      </p>
      <ul class="legend">
        {isOfTimes && <li>{text.strokes}</li>}
        {groups > 1 &&
          plot.names.map((name, index) => (
            <li key={name}>
              <span class={`swatch tone-${index + 1}`} /> {visible(name) || '–'}
            </li>
          ))}
      </ul>
    </section>
  );
}
