import type { EndpointHealth } from '../subscription/subscription.ts';
import { instant } from '../text/instant.ts';
import type { Circuit } from './circuit.ts';
import type { Context } from './states.ts';

/**
 * Whether a tick is to count the messages that wait. Behind a closed circuit nobody counts, unless a rate limit may have messages wait there, or somebody
 * was told that there are many and waits to hear that there are fewer.
 */
export function isCountDue(
  { circuit: { state, backlog }, rate_limit }: Pick<EndpointHealth, 'circuit' | 'rate_limit'>,
  { nowMs, policy }: Context,
): boolean {
  if (state === 'closed' && rate_limit === undefined && backlog?.since === undefined) {
    return false;
  }
  return backlog === undefined || nowMs - Date.parse(backlog.counted_at) >= policy.countEveryMs;
}

/** Many from the threshold on, and until no more than half as many are left: so a number that wavers is told once. */
export function withCount<C extends Circuit>(circuit: C, waiting: number, { nowMs, policy }: Context): C {
  const known = circuit.backlog?.since;
  const areMany =
    known === undefined ? waiting >= policy.manyWaiting : waiting > Math.floor(policy.manyWaiting / 2);
  return {
    ...circuit,
    backlog: {
      counted_at: instant(nowMs),
      waiting,
      ...(areMany ? { since: known ?? instant(nowMs) } : {}),
    },
  };
}
