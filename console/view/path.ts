type Place = readonly [x: number, y: number];

/** A stroke through places in order, interrupted where there is none. */
export function strokePath(places: readonly (Place | undefined)[]): string {
  // A lone place is closed, which draws a dot.
  return runsOf(places)
    .map((run) => `M${run.map(written).join('L')}${run.length === 1 ? 'Z' : ''}`)
    .join('');
}

/** What is below such a stroke. @param floor down to this y */
export function areaPath(places: readonly (Place | undefined)[], floor: number): string {
  return runsOf(places)
    .map((run) => {
      const [[left], [right]] = [run[0]!, run.at(-1)!];
      return `M${[...run, [right, floor], [left, floor]].map((place) => written(place as Place)).join('L')}Z`;
    })
    .join('');
}

const written = ([x, y]: Place) => `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;

function runsOf(places: readonly (Place | undefined)[]): readonly (readonly Place[])[] {
  const runs: Place[][] = [[]];
  for (const place of places) {
    if (place === undefined) runs.push([]);
    else runs.at(-1)?.push(place);
  }
  return runs.filter((run) => run.length > 0);
}
