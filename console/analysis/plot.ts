import type { JSX } from 'preact';
import type { AnalysisTable } from '../../functions/core/analysis/analysis-table.ts';
import { TEXT } from '../texts.ts';
import type { Time } from './question.ts';

export const HEIGHT = 180;
/** Of the names of the axis. */
export const LEFT = 52;
/** Above the highest mark. */
export const TOP = 10;
/** This many names have a colour of their own; the rest are one. */
const COLOURS = 6;

export interface Plot {
  readonly table: AnalysisTable;
  readonly times: readonly Time[];
  /** 1 or 2: the time, and what else its rows are grouped by. */
  readonly groups: number;
  readonly names: readonly string[];
  /** Pixels of a day or hour. */
  readonly step: number;
}

export interface Drawn {
  readonly marks: readonly JSX.Element[];
  readonly ticks: readonly { readonly y: number; readonly label: string }[];
}

/** The largest first. */
export function namesIn({ rows }: AnalysisTable, groups: number): readonly string[] {
  if (groups < 2) return [''];
  const sums = new Map<string, number>();
  for (const row of rows) {
    const name = String(row[1]);
    sums.set(name, (sums.get(name) ?? 0) + Number(row[groups]));
  }
  const names = [...sums].sort(([, one], [, other]) => other - one).map(([name]) => name);
  return names.length <= COLOURS ? names : [...names.slice(0, COLOURS - 1), TEXT.analysis.others];
}
