import { visible } from '../words/visible.ts';
import { written } from './cells.ts';
import { type Drawn, HEIGHT, LEFT, type Plot, TOP } from './plot.ts';

const GAP = 2;

/** A bar for each day or hour, of the first measure: in it a part for each name. */
export function bars({ table, times, groups, names, step }: Plot): Drawn {
  const column = table.columns[groups] ?? '';
  const place = new Map(times.map(({ name }, index) => [name, index]));
  const parts = times.map(() => names.map(() => 0));
  for (const row of table.rows) {
    const of = parts[place.get(String(row[0])) ?? -1];
    // The last name is that of the others.
    const name = groups < 2 ? 0 : names.indexOf(String(row[1]));
    const index = name < 0 ? names.length - 1 : name;
    if (of) of[index] = (of[index] ?? 0) + Number(row[groups]);
  }
  const max = Math.max(1, ...parts.map((of) => of.reduce((sum, part) => sum + part, 0)));
  const marks = parts.flatMap((of, index) => {
    let y = HEIGHT;
    return of.map((part, name) => {
      const height = (part / max) * (HEIGHT - TOP);
      y -= height;
      return (
        <rect
          key={`${index} ${name}`}
          class={`solid tone-${name + 1}`}
          x={LEFT + index * step}
          y={y}
          width={Math.max(1, step - GAP)}
          height={height}
        >
          <title>{`${written('day', times[index]?.name ?? '')} · ${visible(names[name] ?? '')}: ${written(column, part)}`}</title>
        </rect>
      );
    });
  });
  return {
    marks,
    ticks: [
      { y: HEIGHT, label: '0' },
      { y: TOP, label: written(column, max) },
    ],
  };
}
