import type { Circuit, In } from './circuit.ts';
import type { DeliveryPolicy } from './delivery-policy.ts';
import { instant } from './instant.ts';

/** What a transition knows besides circuit and input. */
export interface Context {
  readonly nowMs: number;
  readonly policy: DeliveryPolicy['circuit'];
}

/** Counts from the start, and will be probed when it has cooled down. */
export function open(circuit: Circuit, cool_down_ms: number, nowMs: number): In<'open'> {
  const probeAtMs = nowMs + cool_down_ms;
  return withTimer(
    {
      ...lastingOf(circuit),
      failed_keys: [],
      slow_keys: [],
      state: 'open',
      since: instant(nowMs),
      cool_down_ms,
      probe_at: instant(probeAtMs),
    },
    probeAtMs,
  );
}

/** A drain starts with one key at a time, whatever waits. It bounds what is under way, so it counts nobody who is slow. */
export function drain(circuit: Circuit, nowMs: number): In<'draining'> {
  return withTimer(
    {
      ...lastingOf(circuit),
      slow_keys: [],
      state: 'draining',
      since: instant(nowMs),
      window: 1,
      failed_since_tick: false,
    },
    nowMs,
  );
}

/** What stays when the state changes. */
export function lastingOf(circuit: Circuit) {
  const { revision, tick, tick_at, since, failed_keys, slow_keys, failing_since, backlog } = circuit;
  return {
    revision,
    tick,
    ...(tick_at === undefined ? {} : { tick_at }),
    ...(since === undefined ? {} : { since }),
    failed_keys,
    slow_keys,
    ...(failing_since === undefined ? {} : { failing_since }),
    ...(backlog === undefined ? {} : { backlog }),
  };
}

/** There was a success: not nothing but failures. */
export function forgetStreak<C extends Circuit>(circuit: C): C {
  if (circuit.failing_since === undefined) {
    return circuit;
  }
  const { failing_since: _, ...rest } = circuit;
  return rest as C;
}

export function withTimer<C extends Circuit>(circuit: C, atMs: number): C {
  return { ...circuit, tick: circuit.tick + 1, tick_at: instant(atMs) };
}

/** A timer that is under way means nothing any more. */
export function withoutTimer(circuit: In<'closed'>): In<'closed'> {
  const { tick_at: _, ...rest } = circuit;
  return { ...rest, tick: circuit.tick + 1 };
}
