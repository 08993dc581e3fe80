import type { AnalysisTable, Cell } from './analysis-table.ts';

/** What spreadsheets take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A table as CSV, without its totals. A text that a spreadsheet would run gets an apostrophe before it, as
 * OWASP's "CSV Injection" advises.
 *
 * Source: RFC 4180.
 */
export function csvOf({ columns, rows }: Pick<AnalysisTable, 'columns' | 'rows'>): string {
  return [columns, ...rows].map((cells) => `${cells.map(written).join(',')}\r\n`).join('');
}

function written(cell: Cell): string {
  const text = typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
