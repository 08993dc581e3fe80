import { instant } from '../text/instant.ts';
import type { Circuit } from './circuit.ts';
import type { EndpointHealth } from './health-shape.ts';
import type { Context } from './states.ts';

/**
 * Whether this timer should count the waiting messages. A closed circuit counts only where messages can wait
 * behind a rate limit, or where `messages.waiting` was reported and must still be followed by
 * `messages.waiting.eased`.
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

/** Many from the threshold on, until at most half as many are left: a number that wavers is reported once. */
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
