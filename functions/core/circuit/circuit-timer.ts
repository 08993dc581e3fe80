import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import type { BlockedKey } from '../ordering/blocked-ordering-key.ts';
import type { SignalKind } from '../ordering/signal.ts';
import type { EndpointHealth } from '../subscription/subscription.ts';
import type { BacklogView } from './circuit.ts';

export type InBacklog = Extract<BlockedKey, { state: 'in_line' }>;

/** The next probe is chosen from this many ordering keys, or more if many were blocked in one millisecond. */
export const CANDIDATES = 25;

/**
 * How many ordering keys of the backlog a timer reads: those that may be under way, and one more to see
 * whether any others wait.
 */
export function lookAhead(health: EndpointHealth, policy: DeliveryPolicy['circuit']): number {
  return maxUnderWay(health, policy) + 1;
}

/**
 * A limited endpoint that takes so many seconds still gets all that its limit allows. No more, because all
 * that is under way may start at once when workers become free after a shortage.
 */
const UNDER_WAY_SECONDS = 4;

/** How many ordering keys of the backlog may be under way. */
function maxUnderWay(health: EndpointHealth, policy: DeliveryPolicy['circuit']): number {
  const { circuit } = health;
  const window = circuit.state === 'draining' ? circuit.window : policy.widestWindow;
  return Math.min(window, UNDER_WAY_SECONDS * perTimer(health));
}

/** How many ordering keys a timer may signal. Messages of a deleted subscription are cancelled, not sent. */
function perTimer({ state, rate_limit = Number.POSITIVE_INFINITY }: EndpointHealth): number {
  return state === 'deleted' ? Number.POSITIVE_INFINITY : rate_limit;
}

/**
 * Drops the ordering keys of the last millisecond read when the backlog may continue. The index does not
 * order keys within one millisecond, so probes take turns among all of them only when all have been read.
 */
export function withoutCutOff(backlog: readonly InBacklog[], mayContinue: boolean): readonly InBacklog[] {
  const last = backlog.at(-1)?.parked_at;
  return mayContinue ? backlog.filter(({ parked_at }) => parked_at !== last) : backlog;
}

export function backlogView(backlog: readonly InBacklog[], nowMs: number): BacklogView {
  return {
    keys: backlog.map((key) => ({
      key: key.ordering_key,
      parkedAtMs: Date.parse(key.parked_at),
      isInHand: isInHand(key, nowMs),
    })),
  };
}

function isInHand({ check_at }: InBacklog, nowMs: number): boolean {
  return nowMs < Date.parse(check_at);
}

/**
 * The ordering keys to signal, and why: the next ones of a drain, or a newly chosen probe. Those signalled
 * recently are left out. Sweep finds those that have waited too long.
 */
export function signalsOfTimer(
  before: EndpointHealth,
  after: EndpointHealth,
  backlog: readonly InBacklog[],
  nowMs: number,
  policy: DeliveryPolicy['circuit'],
): { readonly key: InBacklog; readonly signalKind: SignalKind }[] {
  const probe = newProbe(before, after);
  if (probe !== undefined) {
    return backlog.filter((key) => key.ordering_key === probe).map((key) => ({ key, signalKind: 'probe' }));
  }
  return sendsBacklog(before) && sendsBacklog(after) && !waitsForRoom(after)
    ? backlog
        .slice(0, maxUnderWay(before, policy))
        .filter((key) => !isInHand(key, nowMs))
        .slice(0, perTimer(before))
        .map((key) => ({ key, signalKind: 'drain' }))
    : [];
}

function sendsBacklog({ circuit: { state } }: EndpointHealth): boolean {
  return state === 'draining' || state === 'closed';
}

function waitsForRoom({ circuit }: EndpointHealth): boolean {
  return circuit.state === 'draining' && circuit.waits_for_room === true;
}

function newProbe(
  { circuit: before }: EndpointHealth,
  { circuit: after }: EndpointHealth,
): string | undefined {
  return after.state === 'half_open' && (before.state !== 'half_open' || before.probe_at !== after.probe_at)
    ? after.probe_key
    : undefined;
}
