import type { AnalysisTable, Cell } from '../../functions/core/analysis/analysis-table.ts';
import { TEXT } from '../texts.ts';
import { useWidth } from '../view/use-width.ts';
import { visible } from '../words/visible.ts';
import { written } from './cells.ts';

const HEIGHT = 180;
const FOOT = 22;
const GAP = 2;
/** So many names have a colour of their own; the rest are one. */
const COLOURS = 6;

interface BarsProps {
  readonly table: AnalysisTable;
  readonly groups: number;
  /** All of its period, in order; many may have nothing. */
  readonly times: readonly string[];
}

/** What an answer counts, over its days or hours: a bar for each, in it a part for each other group. */
export function Bars({ table, groups, times }: BarsProps) {
  const [place, width] = useWidth<HTMLDivElement>(344);
  const names = namesIn(table, groups);
  const partsOf = (time: string) =>
    names.map((name) =>
      table.rows
        .filter(([since, group]) => since === time && (groups < 2 || nameAmong(names, group) === name))
        .reduce((sum, row) => sum + Number(row[groups]), 0),
    );
  const bars = times.map((time) => ({ time, parts: partsOf(time) }));
  const max = Math.max(1, ...bars.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0)));
  const step = width / Math.max(1, times.length);
  const [first = '', last = ''] = [times[0], times.at(-1)];
  return (
    <div ref={place}>
      <svg
        class="chart"
        viewBox={`0 0 ${width} ${HEIGHT + FOOT}`}
        width={width}
        height={HEIGHT + FOOT}
        role="img"
        aria-label={TEXT.analysis.chart(TEXT.analysis.column(table.columns[groups] ?? ''))}
      >
        {bars.map(({ time, parts }, index) => {
          let y = HEIGHT;
          return parts.map((part, name) => {
            const height = (part / max) * (HEIGHT - 10);
            y -= height;
            return (
              <rect
                key={`${time} ${name}`}
                class={`solid tone-${name + 1}`}
                x={index * step}
                y={y}
                width={Math.max(1, step - GAP)}
                height={height}
              >
                <title>{`${written('day', time)}${groups < 2 ? '' : ` · ${visible(names[name] ?? '')}`}: ${part}`}</title>
              </rect>
            );
          });
        })}
        <text x="0" y={HEIGHT + 16}>
          {written('day', first)}
        </text>
        {first !== last && (
          <text class="end" x={width} y={HEIGHT + 16}>
            {written('day', last)}
          </text>
        )}
      </svg>
      {groups > 1 && (
        <ul class="legend">
          {names.map((name, index) => (
            <li key={name}>
              <span class={`swatch tone-${index + 1}`} /> {visible(name) || '–'}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The largest first. */
function namesIn({ rows }: AnalysisTable, groups: number): readonly string[] {
  if (groups < 2) return [''];
  const sums = new Map<string, number>();
  for (const row of rows) {
    const name = String(row[1]);
    sums.set(name, (sums.get(name) ?? 0) + Number(row[groups]));
  }
  const names = [...sums].sort(([, one], [, other]) => other - one).map(([name]) => name);
  return names.length <= COLOURS ? names : [...names.slice(0, COLOURS - 1), TEXT.analysis.others];
}

function nameAmong(names: readonly string[], group: Cell | undefined): string {
  return names.includes(String(group)) ? String(group) : TEXT.analysis.others;
}
