import type { Cell } from '../../functions/core/analysis/analysis-table.ts';
import { count, share } from '../words/numbers.ts';
import { duration, localTime } from '../words/time.ts';
import { visible } from '../words/visible.ts';

/** A cell of a column as people read it. */
export function written(column: string, cell: Cell): string {
  if (cell === '') return '–';
  if (column.endsWith('_ms')) return duration(Number(cell));
  if (column.startsWith('within')) return share(Number(cell));
  if (column.endsWith('_usd')) return `$${cell}`;
  if (typeof cell === 'number') return Number.isInteger(cell) ? count(cell) : String(cell);
  const precision = column.endsWith('_at') ? 'millisecond' : 'second';
  return /^\d{4}-\d\d-\d\dT/.test(cell) ? localTime(cell, Date.now(), undefined, precision) : visible(cell);
}
