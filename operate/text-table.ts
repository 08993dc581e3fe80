/** Rows as lines, each column as wide as its longest cell. */
export function textTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}

/** The first of many lines, and how many there are besides. */
export function firstOf(lines: readonly string[], most: number): string[] {
  const left = lines.length - most;
  return left > 0 ? [...lines.slice(0, most), `  … and ${left} more; --json has them all`] : [...lines];
}

/** An instant as a person reads it: 2026-11-14 10:00:05 UTC. */
export function readableTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
