import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import type { EndpointHealth } from '../../core/circuit/health-shape.ts';
import {
  type InBacklog,
  lookAhead,
  perTimer,
  type SeenOfBacklog,
  signalsOfTimer,
  type WantedSignal,
} from '../../core/ordering/circuit-timer.ts';
import type { Timer } from '../../core/signal/timer.ts';
import type { Subscription } from '../../core/subscription/subscription.ts';
import type { WakePorts } from './ports.ts';
import { signalKeys } from './signal-keys.ts';

type CircuitTimer = Extract<Timer, { kind: 'circuit' }>;

/** What a timer made of a circuit, and the backlog that it saw. */
export interface CircuitMove {
  readonly subscription: Subscription;
  readonly before: EndpointHealth;
  readonly after: EndpointHealth;
  readonly seen: SeenOfBacklog;
  readonly nowMs: number;
}

/** How many ordering keys may be signalled until the next timer, and at one look. */
interface Quota {
  readonly all: number;
  readonly each: number;
  /** How many it has moved to the head so far. */
  readonly moved: number;
}

/** Looks share what an overloaded endpoint allows: all of it at once might be too many. */
export function quotaOf(health: EndpointHealth, polls: boolean, { circuit }: DeliveryPolicy): Quota {
  const all = perTimer(health);
  return { all, each: polls ? Math.ceil((all * circuit.lookAgainMs) / circuit.timerMs) : all, moved: 0 };
}

/**
 * Until the next timer, signals ordering keys that move up as others are done, while more wait than may be
 * under way: an endpoint that answers quickly gets more than one window a second.
 */
export async function pollBacklog(
  { subscription, before, after, seen: { head: first, sample: unsignalled }, nowMs }: CircuitMove,
  quota: Quota,
  { timer, endsAtMs }: { readonly timer: CircuitTimer; readonly endsAtMs: number },
  ports: WakePorts,
  policy: DeliveryPolicy,
): Promise<number> {
  const { timerMs, lookAgainMs } = policy.circuit;
  const max = lookAhead(before, policy.circuit);
  const isPaced = Number.isFinite(quota.all);
  const untilMs = Math.min(nowMs + timerMs, endsAtMs);
  let seen = first;
  let sample = unsignalled;
  let { moved } = quota;
  let signalled = 0;
  try {
    while (
      (isPaced ? seen.length > 0 && signalled < quota.all : seen.length === max) &&
      ports.now() + lookAgainMs < untilMs
    ) {
      await ports.after(lookAgainMs);
      if (ports.now() >= untilMs) {
        // This worker was stopped or busy meanwhile: the next timer takes over.
        break;
      }
      seen = await ports.backlog(subscription.subscription_id, max);
      const left = Math.min(quota.each, quota.all - signalled);
      // As long as the index does not show what has moved, the window does not count it: no more than a window moves.
      const mayMove = Math.max(0, max - 1 - moved);
      const now = { head: seen, sample };
      const wanted = signalsOfTimer(before, after, now, ports.now(), policy.circuit, left, mayMove);
      sample = without(sample, wanted);
      moved += movedIn(wanted);
      signalled += await signalKeys(wanted, [], { timer, endsAtMs }, ports, policy);
    }
  } catch (error) {
    ports.observer.internalError(error, timer);
  }
  return signalled;
}

/** What a sample shows besides: what was signalled has another check by now. */
export function without(sample: readonly InBacklog[], wanted: readonly WantedSignal[]): readonly InBacklog[] {
  const signalled = new Set(wanted.map(({ key }) => key.ordering_key));
  return sample.filter(({ ordering_key }) => !signalled.has(ordering_key));
}

export function movedIn(wanted: readonly WantedSignal[]): number {
  return wanted.filter(({ isFromElsewhere }) => isFromElsewhere).length;
}
