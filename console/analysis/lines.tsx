import { linePath } from '../view/line-path.ts';
import { linear } from '../view/linear.ts';
import { visible } from '../words/visible.ts';
import { written } from './cells.ts';
import { type Drawn, HEIGHT, LEFT, type Plot, TOP } from './plot.ts';

/** p95 of each name as a line, p50 as a broken one, on a logarithmic axis: some take ms, some hours. */
export function lines({ table, times, groups, names, step }: Plot): Drawn {
  const columns = ['p95_ms', 'p50_ms'].map((column) => table.columns.indexOf(column));
  const all = table.rows.flatMap((row) => columns.flatMap((column) => Number(row[column]) || []));
  const decades = [Math.floor(Math.log10(Math.min(...all))), Math.ceil(Math.log10(Math.max(...all)))];
  const [low = 0, high = 1] = all.length === 0 ? [0, 1] : decades;
  const at = linear([low, Math.max(high, low + 1)], [HEIGHT, TOP]);
  const cells = new Map(table.rows.map((row) => [`${row[0]} ${groups < 2 ? '' : row[1]}`, row]));
  const marks = names.flatMap((name, index) =>
    columns.flatMap((column, which) => {
      const spots = times.map((time, place) => {
        const ms = Number(cells.get(`${time.name} ${name}`)?.[column]);
        return ms > 0 ? ([LEFT + (place + 0.5) * step, at(Math.log10(ms))] as const) : undefined;
      });
      const label = `${visible(name)} ${which === 0 ? 'p95' : 'p50'}`;
      return [
        <path
          key={label}
          class={`line tone-${index + 1} ${which === 0 ? '' : 'broken'}`}
          d={linePath(spots)}
        />,
        ...spots.flatMap((spot, place) => {
          const row = cells.get(`${times[place]?.name} ${name}`);
          return spot === undefined ? (
            []
          ) : (
            <circle
              key={`${label} ${place}`}
              class={`dot tone-${index + 1}`}
              cx={spot[0]}
              cy={spot[1]}
              r="2.5"
            >
              <title>{`${written('day', times[place]?.name ?? '')} · ${label}: ${written('p95_ms', row?.[column] ?? '')}`}</title>
            </circle>
          );
        }),
      ];
    }),
  );
  const ticks = Array.from({ length: Math.max(1, high - low) + 1 }, (_, index) => ({
    y: at(low + index),
    label: written('p95_ms', 10 ** (low + index)),
  }));
  return { marks, ticks };
}
