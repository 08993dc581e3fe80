import { rateOf } from '../../results/rate.ts';
import type { Group, RunResult } from '../../results/run-result.ts';
import { median } from '../../statistics/median.ts';
import type { Findings } from '../findings/findings.ts';

/** Concurrency is raised only while it brings at least this much more. */
const MIN_GAIN = 1.03;

/** The cell with the highest rate; undefined without cells. */
export function bestOf(groups: readonly Group[]): RunResult['best'] {
  const [best] = [...groups].sort((a, b) => rateOf(b) - rateOf(a));
  return best === undefined ? undefined : { cell: best.name, per_second: rateOf(best) };
}

/**
 * Across repetitions: the median of the best rates, and the cell of the middle repetition; of the lower one
 * when there are two.
 */
export function middleBest(runs: readonly Pick<RunResult, 'best'>[]): RunResult['best'] {
  const sorted = runs.flatMap(({ best }) => best ?? []).sort((a, b) => a.per_second - b.per_second);
  const middle = sorted[(sorted.length - 1) >> 1];
  return middle && { ...middle, per_second: median(sorted.map(({ per_second }) => per_second)) };
}

/** Whether the last cell brought next to nothing over those before it. */
export function isPlateau(cells: readonly Pick<Findings, 'groups'>[]): boolean {
  const rates = cells.map(({ groups }) => Math.max(0, ...groups.map(rateOf)));
  return rates.length > 1 && (rates.at(-1) ?? 0) < MIN_GAIN * Math.max(...rates.slice(0, -1));
}
