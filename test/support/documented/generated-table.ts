/** A table on a page, made of code: all of its lines, or rows that stand in a table written by hand. */
export interface GeneratedTable {
  readonly page: string;
  readonly lines: readonly string[];
}

export const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  row(...head),
  row(...head.map(() => '---')),
  ...rows.map((cells) => row(...cells)),
];

/**
 * The page with these lines in the place of the old ones: a whole table is found by its first line, a row by
 * its first cell.
 *
 * @throws when the page has neither
 */
export function withLines(text: string, { page, lines }: GeneratedTable): string {
  const [head = '', second] = lines;
  const isWhole = second !== undefined && /^[| -]+$/.test(second);
  const begins = isWhole ? `${head}\n` : head.slice(0, head.indexOf(' |') + 2);
  const from = `\n${text}`.indexOf(`\n${begins}`);
  if (from < 0) {
    throw new Error(`${page} has nothing that begins with ${begins}`);
  }
  const rest = text.slice(from);
  const old = isWhole ? rest.match(/^(\|.*\n)+/)! : rest.match(/^.*\n/)!;
  return `${text.slice(0, from)}${lines.join('\n')}\n${rest.slice(old[0].length)}`;
}
