import type { EndpointHealth } from '../subscription/subscription.ts';
import type { SignalKind } from './signal.ts';

/** Why a key waits in its subscription's line. */
export type BacklogReason = 'circuit_open' | 'catching_up' | 'rate_limited' | 'paused' | 'disabled';

/**
 * What may become of a key's next message. `go`: attempt it. `probe`: attempt it as the circuit's probe. `claim`: likewise, once the circuit has been
 * told. `line`: it waits in line. `end`: its subscription is no more.
 */
export type GateDecision =
  | { readonly kind: 'go' | 'probe' | 'claim' | 'end' }
  | { readonly kind: 'line'; readonly reason: BacklogReason };

interface Question {
  readonly key: string;
  /** `first`: a message that has just come, of a key that is not paused. */
  readonly signalKind: SignalKind | 'first';
  readonly nowMs: number;
  readonly timeoutMs: number;
}

/** @param health undefined when there is no such subscription */
export function gate(
  health: EndpointHealth | undefined,
  { key, signalKind, nowMs, timeoutMs }: Question,
): GateDecision {
  if (health === undefined || health.state === 'deleted') {
    return { kind: 'end' };
  }
  if (health.state !== 'active') {
    return { kind: 'line', reason: health.state };
  }
  const { circuit } = health;
  switch (circuit.state) {
    case 'closed':
      // A rate limit is a drain that does not close.
      return health.rate_limit === undefined || signalKind === 'drain'
        ? { kind: 'go' }
        : { kind: 'line', reason: 'rate_limited' };
    case 'draining':
      // A probe that was answered began the drain.
      return signalKind === 'drain' || signalKind === 'probe'
        ? { kind: 'go' }
        : { kind: 'line', reason: 'catching_up' };
    case 'half_open': {
      const isLeased = circuit.probe_key === key && nowMs + timeoutMs <= Date.parse(circuit.probe_at);
      if (signalKind === 'probe' && isLeased) {
        return { kind: 'probe' };
      }
      return circuit.probe_key === undefined && signalKind === 'first'
        ? { kind: 'claim' }
        : { kind: 'line', reason: 'circuit_open' };
    }
    case 'open':
      return { kind: 'line', reason: 'circuit_open' };
  }
}
