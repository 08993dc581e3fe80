import { printable } from './printable.ts';

/** Rows as lines, each column as wide as its longest cell. Cells may hold text of outsiders. */
export function textTable(cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map(printable));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}

/** An outsider's text in lines of at most `width` characters. Longer words stay whole, to be copied. */
export function wrapped(width: number, text: string): string[] {
  const lines: string[] = [];
  for (const word of printable(text).split(/ +/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

/** The first of many lines, and how many more there are. */
export function firstOf(lines: readonly string[], max: number): string[] {
  const left = lines.length - max;
  return left > 0 ? [...lines.slice(0, max), `  … and ${left} more; --json has them all`] : [...lines];
}

/** An instant as a person reads it: 2026-11-14 10:00:05 UTC. */
export function readableTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
