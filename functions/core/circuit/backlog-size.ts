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
  { circuit: { state, backlog_size }, rate_limit }: Pick<EndpointHealth, 'circuit' | 'rate_limit'>,
  { nowMs, policy }: Context,
): boolean {
  if (state === 'closed' && rate_limit === undefined && backlog_size?.since === undefined) {
    return false;
  }
  return backlog_size === undefined || nowMs - Date.parse(backlog_size.counted_at) >= policy.countEveryMs;
}

/** Many from the threshold on, until at most half as many are left: a number that wavers is reported once. */
export function withCount<C extends Circuit>(circuit: C, waiting: number, { nowMs, policy }: Context): C {
  const known = circuit.backlog_size?.since;
  const areMany =
    known === undefined ? waiting >= policy.manyWaiting : waiting > Math.floor(policy.manyWaiting / 2);
  return {
    ...circuit,
    backlog_size: {
      counted_at: instant(nowMs),
      waiting,
      ...(areMany ? { since: known ?? instant(nowMs) } : {}),
    },
  };
}
