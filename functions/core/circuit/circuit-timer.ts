import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import type { BlockedKey } from '../ordering/blocked-ordering-key.ts';
import type { SignalKind } from '../ordering/signal.ts';
import type { EndpointHealth } from '../subscription/subscription.ts';
import type { BacklogView } from './circuit.ts';

export type InBacklog = Extract<BlockedKey, { state: 'in_line' }>;

/** From among so many the next probe is chosen, and from more only when so many were parked in the same millisecond. */
export const CANDIDATES = 25;

/** How many keys of the line, from its first on, a tick has to look at: those that may be under way, and one more to see whether anybody waits. */
export function lookAhead(health: EndpointHealth, policy: DeliveryPolicy['circuit']): number {
  return max(health, policy) + 1;
}

/** So many keys of the line may be under way. */
function max({ state, circuit, rate_limit }: EndpointHealth, policy: DeliveryPolicy['circuit']): number {
  const window = circuit.state === 'draining' ? circuit.window : policy.widestWindow;
  // What is only cancelled needs no limit.
  return state === 'deleted' ? window : Math.min(window, rate_limit ?? window);
}

/**
 * What was read of a line without the keys of its last millisecond, when it may go on: the index has those of one millisecond in no order, so probes go round
 * among all of them only when all are seen.
 */
export function withoutCutOff(backlog: readonly InBacklog[], goesOn: boolean): readonly InBacklog[] {
  const last = backlog.at(-1)?.parked_at;
  return goesOn ? backlog.filter(({ parked_at }) => parked_at !== last) : backlog;
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
 * Which keys of the line a tick hints, and why: the next ones of a drain, or a newly chosen probe. One that was hinted lately is left out. What has waited
 * too long, sweep finds.
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
  return goesOn(before) && goesOn(after) && !waitsForRoom(after)
    ? backlog
        .slice(0, max(before, policy))
        .filter((key) => !isInHand(key, nowMs))
        .map((key) => ({ key, signalKind: 'drain' }))
    : [];
}

function goesOn({ circuit: { state } }: EndpointHealth): boolean {
  return state === 'draining' || state === 'closed';
}

function waitsForRoom({ circuit }: EndpointHealth): boolean {
  return circuit.state === 'draining' && circuit.waits_for_room === true;
}

function newProbe(
  { circuit: before }: EndpointHealth,
  { circuit: after }: EndpointHealth,
): string | undefined {
  const isLeased = after.state === 'half_open' && after.probe_key !== undefined;
  return isLeased && (before.state !== 'half_open' || before.probe_at !== after.probe_at)
    ? after.probe_key
    : undefined;
}
