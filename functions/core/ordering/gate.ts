import type { Standing } from '../subscription/subscription.ts';
import type { Wish } from './signal.ts';

/** Why a key waits in its subscription's line. */
export type LineReason = 'circuit_open' | 'catching_up' | 'rate_limited' | 'paused' | 'disabled';

/**
 * What may become of a key's next message. `go`: attempt it. `probe`: attempt it as the circuit's probe. `claim`: likewise, once the circuit has been
 * told. `line`: it waits in line. `end`: its subscription is no more.
 */
export type Way =
  | { readonly kind: 'go' | 'probe' | 'claim' | 'end' }
  | { readonly kind: 'line'; readonly reason: LineReason };

interface Question {
  readonly key: string;
  /** `first`: a message that has just come, of a key that is not paused. */
  readonly wish: Wish | 'first';
  readonly nowMs: number;
  readonly timeoutMs: number;
}

/** @param standing undefined when there is no such subscription */
export function wayOf(standing: Standing | undefined, { key, wish, nowMs, timeoutMs }: Question): Way {
  if (standing === undefined || standing.state === 'deleted') {
    return { kind: 'end' };
  }
  if (standing.state !== 'active') {
    return { kind: 'line', reason: standing.state };
  }
  const { circuit } = standing;
  switch (circuit.state) {
    case 'closed':
      // A rate limit is a drain that does not close.
      return standing.rate_limit === undefined || wish === 'drain'
        ? { kind: 'go' }
        : { kind: 'line', reason: 'rate_limited' };
    case 'draining':
      // A probe that was answered began the drain.
      return wish === 'drain' || wish === 'probe' ? { kind: 'go' } : { kind: 'line', reason: 'catching_up' };
    case 'half_open': {
      const isLeased = circuit.probe_key === key && nowMs + timeoutMs <= Date.parse(circuit.probe_at);
      if (wish === 'probe' && isLeased) {
        return { kind: 'probe' };
      }
      return circuit.probe_key === undefined && wish === 'first'
        ? { kind: 'claim' }
        : { kind: 'line', reason: 'circuit_open' };
    }
    case 'open':
      return { kind: 'line', reason: 'circuit_open' };
  }
}
