import { type Judged, outcomeOf } from './outcome.ts';
import type { Group, RunResult } from './run-result.ts';

/** Targets of runs on the local stack, two cores including the emulator. A run that misses one says so. */
export const RUN_TARGETS = {
  /**
   * For partners without trouble: p99 of time to send while others are in trouble, relative to before. At
   * most.
   */
  isolation: 1.2,
} as const;

/** Delivered per second at full concurrency; without such a measurement, over the whole time. */
export function rateOf({ sustained_per_second, delivered_per_second }: Group): number {
  return sustained_per_second ?? delivered_per_second;
}

/** What came of a run of a scenario, from its stored numbers. */
export function judgeRun({ promises, gaps }: Pick<RunResult, 'promises' | 'gaps'>): Judged {
  const { expected, delivered, lost, order_violations, repeats, invalid_signatures } = promises;
  const unmeasured =
    expected === 0
      ? ['no event was published']
      : delivered + lost === 0
        ? [`none of ${expected} messages was delivered`]
        : [];
  const broken: readonly (readonly [number, string])[] = [
    [lost, 'lost'],
    [order_violations, 'out of order'],
    [repeats, 'unexplained duplicates'],
    [invalid_signatures, 'with an invalid signature'],
  ];
  return outcomeOf(
    [...gaps, ...unmeasured],
    broken.flatMap(([number, what]) => (number > 0 ? [`${number} ${what}`] : [])),
  );
}
