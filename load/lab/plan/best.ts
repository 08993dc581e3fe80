import type { Group, RunResult } from '../../results/run-result.ts';
import { median } from '../../statistics/median.ts';
import type { Findings } from '../findings/findings.ts';

/** What more payments at a time have to bring, to be worth a try with even more. */
const WORTH = 1.03;

function rateOf({ sustained_per_second, delivered_per_second }: Group): number {
  return sustained_per_second ?? delivered_per_second;
}

/** The cell that most was delivered in; undefined where there is none. */
export function bestOf(groups: readonly Group[]): RunResult['best'] {
  const [best] = [...groups].sort((a, b) => rateOf(b) - rateOf(a));
  return best === undefined ? undefined : { cell: best.name, per_second: rateOf(best) };
}

/** Of repetitions: the median of what most was, and the cell in which it was in the repetition in the middle; of an even number in the worse of two. */
export function middleBest(runs: readonly Pick<RunResult, 'best'>[]): RunResult['best'] {
  const sorted = runs.flatMap(({ best }) => best ?? []).sort((a, b) => a.per_second - b.per_second);
  const middle = sorted[(sorted.length - 1) >> 1];
  return middle && { ...middle, per_second: median(sorted.map(({ per_second }) => per_second)) };
}

/** Whether the last of these cells brought next to nothing above those before it. */
export function isAtItsTop(cells: readonly Pick<Findings, 'groups'>[]): boolean {
  const rates = cells.map(({ groups }) => Math.max(0, ...groups.map(rateOf)));
  return rates.length > 1 && (rates.at(-1) ?? 0) < WORTH * Math.max(...rates.slice(0, -1));
}
