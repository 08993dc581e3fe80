import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import type { PausedKey } from '../ordering/blocked-ordering-key.ts';
import type { Wish } from '../ordering/signal.ts';
import type { Standing } from '../subscription/subscription.ts';
import type { LineView } from './circuit.ts';

export type InLine = Extract<PausedKey, { state: 'in_line' }>;

/** From among so many the next probe is chosen, and from more only when so many were parked in the same millisecond. */
export const CANDIDATES = 25;

/** How many keys of the line, from its first on, a tick has to look at: those that may be under way, and one more to see whether anybody waits. */
export function lookAhead(standing: Standing, policy: DeliveryPolicy['circuit']): number {
  return most(standing, policy) + 1;
}

/** So many keys of the line may be under way. */
function most({ state, circuit, rate_limit }: Standing, policy: DeliveryPolicy['circuit']): number {
  const window = circuit.state === 'draining' ? circuit.window : policy.widestWindow;
  // What is only cancelled needs no limit.
  return state === 'deleted' ? window : Math.min(window, rate_limit ?? window);
}

/**
 * What was read of a line without the keys of its last millisecond, when it may go on: the index has those of one millisecond in no order, so probes go round
 * among all of them only when all are seen.
 */
export function withoutCutOff(line: readonly InLine[], goesOn: boolean): readonly InLine[] {
  const last = line.at(-1)?.parked_at;
  return goesOn ? line.filter(({ parked_at }) => parked_at !== last) : line;
}

export function lineView(line: readonly InLine[], nowMs: number): LineView {
  return {
    keys: line.map((key) => ({
      key: key.ordering_key,
      parkedAtMs: Date.parse(key.parked_at),
      isInHand: isInHand(key, nowMs),
    })),
  };
}

function isInHand({ check_at }: InLine, nowMs: number): boolean {
  return nowMs < Date.parse(check_at);
}

/**
 * Which keys of the line a tick hints, and why: the next ones of a drain, or a newly chosen probe. One that was hinted lately is left out. What has waited
 * too long, sweep finds.
 */
export function hintsOfTick(
  before: Standing,
  after: Standing,
  line: readonly InLine[],
  nowMs: number,
  policy: DeliveryPolicy['circuit'],
): { readonly key: InLine; readonly wish: Wish }[] {
  const probe = newProbe(before, after);
  if (probe !== undefined) {
    return line.filter((key) => key.ordering_key === probe).map((key) => ({ key, wish: 'probe' }));
  }
  return goesOn(before) && goesOn(after) && !waitsForRoom(after)
    ? line
        .slice(0, most(before, policy))
        .filter((key) => !isInHand(key, nowMs))
        .map((key) => ({ key, wish: 'drain' }))
    : [];
}

function goesOn({ circuit: { state } }: Standing): boolean {
  return state === 'draining' || state === 'closed';
}

function waitsForRoom({ circuit }: Standing): boolean {
  return circuit.state === 'draining' && circuit.waits_for_room === true;
}

function newProbe({ circuit: before }: Standing, { circuit: after }: Standing): string | undefined {
  const isLeased = after.state === 'half_open' && after.probe_key !== undefined;
  return isLeased && (before.state !== 'half_open' || before.probe_at !== after.probe_at)
    ? after.probe_key
    : undefined;
}
