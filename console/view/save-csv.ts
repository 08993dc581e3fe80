import { csvOf } from '../../functions/core/analysis/csv.ts';

/** Saves a table as a file of CSV where the browser keeps downloads. @param name without its ending */
export function saveCsv(table: Parameters<typeof csvOf>[0], name: string): void {
  const url = URL.createObjectURL(new Blob([csvOf(table)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
