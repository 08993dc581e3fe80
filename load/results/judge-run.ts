import { type Judged, outcomeOf } from './outcome.ts';
import type { RunResult } from './run-result.ts';

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
