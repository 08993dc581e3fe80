import type { Group } from '../../results/run-result.ts';
import type { Expected } from '../scenario/expected.ts';
import { type Facts, latenciesOf } from './measured.ts';

/** Of a baseline: connections are opened then, and one slow message among few would pass for how it is when all is well. */
const SETTLING_MS = 3_000;

/** When a run began, and when its trouble did, in ms since 1970. */
export interface Baseline {
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * What a group's deliveries took before the trouble, and from then on.
 *
 * @param isWell nothing happened to these partners themselves, so that the difference is what the others did to them
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
    // Whole ms are all that the history has: below one there is nothing to divide by.
    ...(isKnown ? { isolation: Math.round((p99During / Math.max(1, p99Before)) * 100) / 100 } : {}),
  };
}
