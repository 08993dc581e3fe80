import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import type { BacklogView } from '../circuit/circuit.ts';
import type { EndpointHealth } from '../circuit/health-shape.ts';
import { inTurns } from '../circuit/sample.ts';
import type { SignalKind } from '../signal/signal.ts';
import { instant } from '../text/instant.ts';
import type { BlockedKey } from './blocked-ordering-key.ts';

export type InBacklog = Extract<BlockedKey, { state: 'backlogged' }>;

/**
 * How many ordering keys of the backlog a timer reads: those that may be under way, and one more to see
 * whether any others wait.
 */
export function lookAhead(health: EndpointHealth, policy: DeliveryPolicy['circuit']): number {
  return maxUnderWay(health, policy) + 1;
}

/**
 * A limited endpoint that takes this many seconds still gets all that its limit allows. No more, because all
 * that is under way may start at once when workers become free after a shortage.
 */
const UNDER_WAY_SECONDS = 4;

/**
 * By how much clocks of workers may differ: an ordering key that joins the backlog later may stand before one
 * that is under way, and hide it from the window, by so much.
 */
const CLOCKS_APART_MS = 5_000;

/** How many ordering keys of the backlog may be under way. */
function maxUnderWay(health: EndpointHealth, policy: DeliveryPolicy['circuit']): number {
  const { circuit } = health;
  const window = circuit.state === 'draining' ? circuit.window : policy.widestWindow;
  return Math.min(window, UNDER_WAY_SECONDS * perTimer(health));
}

/**
 * How many ordering keys a timer may signal: as many as the partner's limit and an overloaded endpoint allow.
 * Messages of a deleted subscription are cancelled, not sent.
 */
export function perTimer({ state, rate_limit = Number.POSITIVE_INFINITY, circuit }: EndpointHealth): number {
  const { rate = Number.POSITIVE_INFINITY } = circuit.state === 'draining' ? circuit : {};
  return state === 'deleted' ? Number.POSITIVE_INFINITY : Math.min(rate_limit, rate);
}

/** How many of the ordering keys under way are taken from anywhere in the backlog. */
function ofSample({ state, circuit }: EndpointHealth): number {
  const isSpread = state === 'active' && circuit.state === 'draining' && circuit.spreads === true;
  return isSpread ? Math.max(1, Math.floor(circuit.window / 2)) : 0;
}

/** Whether a timer needs a sample of the backlog: to choose probes, or to drain more than the head. */
export function wantsSample(health: EndpointHealth): boolean {
  const { circuit } = health;
  const isProbed =
    (circuit.state === 'open' || circuit.state === 'half_open') && circuit.probe_at !== undefined;
  return isProbed || ofSample(health) > 0;
}

export function backlogView(backlog: readonly InBacklog[], nowMs: number): BacklogView {
  return {
    keys: backlog.map((key) => ({
      key: key.ordering_key,
      backloggedAtMs: Date.parse(key.backlogged_at),
      isInHand: isInHand(key, nowMs),
    })),
  };
}

function isInHand({ check_at }: InBacklog, nowMs: number): boolean {
  return nowMs < Date.parse(check_at);
}

/** What a timer sees of a backlog: its head, and a few from all over it, in random order. */
export interface SeenOfBacklog {
  readonly head: readonly InBacklog[];
  readonly sample: readonly InBacklog[];
}

export interface WantedSignal {
  readonly key: InBacklog;
  readonly signalKind: SignalKind;
  /** Where it moves in the backlog: what is under way stands at the head, where its window counts it. */
  readonly backloggedAt?: string;
  /** It was not in the head that the timer saw. */
  readonly isFromElsewhere?: boolean;
}

/**
 * The ordering keys to signal, and why: the next ones of a drain, or newly chosen probes. Those signalled
 * recently are left out. Sweep finds those that have waited too long.
 *
 * @param max how many at most
 * @param elsewhere how many of them from anywhere in the backlog @default - as many as the window says
 */
export function signalsOfTimer(
  before: EndpointHealth,
  after: EndpointHealth,
  { head, sample }: SeenOfBacklog,
  nowMs: number,
  policy: DeliveryPolicy['circuit'],
  max = perTimer(before),
  elsewhere = Number.POSITIVE_INFINITY,
): WantedSignal[] {
  const probes = newProbes(before, after);
  if (probes.length > 0) {
    return sample
      .filter((key) => probes.includes(key.ordering_key))
      .map((key) => ({ key, signalKind: 'probe' }));
  }
  if (!sendsBacklog(before) || !sendsBacklog(after) || waitsForRoom(after)) {
    return [];
  }
  const window = head.slice(0, maxUnderWay(before, policy));
  const isFree = (key: InBacklog) => !isInHand(key, nowMs);
  const room = maxUnderWay(before, policy) - window.filter((key) => !isFree(key)).length;
  // What is put before the head pushes as many out of the window: only what is behind all that it has to count.
  const behind = maxUnderWay(before, policy) - 1 - window.findLastIndex((key) => !isFree(key));
  const known = new Set(window.map(({ ordering_key }) => ordering_key));
  const others = sample
    .filter((key) => isFree(key) && !known.has(key.ordering_key))
    .slice(0, Math.min(ofSample(before), behind, elsewhere));
  const first = window.filter(isFree).slice(0, room - others.length);
  const beforeNewcomers = instant(nowMs - CLOCKS_APART_MS);
  const front = instant(
    Math.min(nowMs - CLOCKS_APART_MS, Date.parse(head[0]?.backlogged_at ?? beforeNewcomers) - 1),
  );
  // In turns, so that a low rate does not take all from the head.
  return inTurns<WantedSignal>([
    others.map((key) => ({ key, signalKind: 'drain', isFromElsewhere: true, backloggedAt: front })),
    first.map((key) => ({
      key,
      signalKind: 'drain',
      ...(key.backlogged_at > beforeNewcomers ? { backloggedAt: beforeNewcomers } : {}),
    })),
  ]).slice(0, max);
}

function sendsBacklog({ circuit: { state } }: EndpointHealth): boolean {
  return state === 'draining' || state === 'closed';
}

function waitsForRoom({ circuit }: EndpointHealth): boolean {
  return circuit.state === 'draining' && circuit.waits_for_room === true;
}

function newProbes(
  { circuit: before }: EndpointHealth,
  { circuit: after }: EndpointHealth,
): readonly string[] {
  return after.state === 'half_open' && (before.state !== 'half_open' || before.probe_at !== after.probe_at)
    ? after.probes
    : [];
}
