import { isOverAge } from './conclusion.ts';
import type { DeliveryPolicy } from './delivery-policy.ts';
import type { Wish } from './hint.ts';
import type { PausedKey } from './key-lifecycle.ts';
import type { Standing } from './standing.ts';

export type InLine = Extract<PausedKey, { state: 'in_line' }>;

/** A line is passed on for age so many keys at a time. */
const MOST_OVER_AGE = 500;

/** How many keys of the line, from its first on, a tick has to look at. */
export function lookAhead({ circuit, rate_limit }: Standing, policy: DeliveryPolicy['circuit']): number {
  switch (circuit.state) {
    case 'draining':
      return Math.min(circuit.window, rate_limit ?? circuit.window);
    case 'closed':
      return rate_limit ?? policy.widestWindow;
    default:
      return MOST_OVER_AGE;
  }
}

/** Whether a tick that sees these keys has to come back soon: so many are over age that there will be more behind them. */
export function isCrowded(line: readonly InLine[], nowMs: number, policy: DeliveryPolicy): boolean {
  const last = line[MOST_OVER_AGE - 1];
  return last !== undefined && isOld(last, nowMs, policy);
}

/**
 * Which keys of the line a tick hints, and why: the next ones of a drain, a newly chosen probe, and those whose messages have waited too long
 * behind a circuit that lets nothing pass. One that was hinted lately is left out.
 */
export function hintsOfTick(
  before: Standing,
  after: Standing,
  line: readonly InLine[],
  nowMs: number,
  policy: DeliveryPolicy,
): { readonly key: InLine; readonly wish: Wish }[] {
  const probe = newProbe(before, after);
  const isDrained = before.circuit.state === 'draining' || before.circuit.state === 'closed';
  const wishOf = (key: InLine): Wish | undefined => {
    if (key.ordering_key === probe) {
      return 'probe';
    }
    if (nowMs < Date.parse(key.check_at)) {
      return undefined;
    }
    if (isDrained) {
      return 'drain';
    }
    return isOld(key, nowMs, policy) ? 'due' : undefined;
  };
  return line.flatMap((key) => {
    const wish = wishOf(key);
    return wish === undefined ? [] : [{ key, wish }];
  });
}

function newProbe({ circuit: before }: Standing, { circuit: after }: Standing): string | undefined {
  const isLeased = after.state === 'half_open' && after.probe_key !== undefined;
  return isLeased && (before.state !== 'half_open' || before.probe_at !== after.probe_at)
    ? after.probe_key
    : undefined;
}

function isOld({ oldest_since }: InLine, nowMs: number, policy: DeliveryPolicy): boolean {
  return isOverAge(Date.parse(oldest_since), nowMs, policy);
}
