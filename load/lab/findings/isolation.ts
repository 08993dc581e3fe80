import type { Group } from '../../results/run-result.ts';
import type { Expected } from '../scenario/expected.ts';
import { type Facts, latenciesOf } from './measurements.ts';

/** The start of a baseline opens connections. One slow message among few would distort it. */
const SETTLING_MS = 3_000;

/** Start of the run, and of the trouble, in ms since 1970. */
interface Baseline {
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * A group's latencies before the trouble and from then on.
 *
 * @param isWell the group had no trouble of its own, so any difference is the effect of the others
 */
export function beforeAndDuring(
  facts: Facts,
  expected: readonly Expected[],
  { fromMs, untilMs }: Baseline,
  isWell: boolean,
): Pick<Group, 'before' | 'during' | 'isolation'> {
  const settledAtMs = fromMs + Math.min(SETTLING_MS, (untilMs - fromMs) / 3);
  const before = latenciesOf(
    facts,
    expected.filter(({ sentAtMs }) => sentAtMs >= settledAtMs && sentAtMs < untilMs),
  );
  const during = latenciesOf(
    facts,
    expected.filter(({ sentAtMs }) => sentAtMs >= untilMs),
  );
  const [p99Before, p99During] = [before.time_to_send?.p99, during.time_to_send?.p99];
  const isKnown = isWell && p99Before !== undefined && p99During !== undefined;
  return {
    before,
    during,
    // The history has whole milliseconds: anything below 1 counts as 1.
    ...(isKnown ? { isolation: Math.round((p99During / Math.max(1, p99Before)) * 100) / 100 } : {}),
  };
}
