/** The name that was probably meant; undefined when none is near. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: name.startsWith(given) ? 1 : distance(given, name) }))
    .sort((one, other) => one.distance - other.distance);
  return best !== undefined && best.distance <= Math.max(2, given.length / 3) ? best.name : undefined;
}

/** Levenshtein's edit distance. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, otherCharacter] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (character === otherCharacter ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
