import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import { instant } from '../text/instant.ts';
import type { Circuit, In } from './circuit.ts';

/** What a transition knows besides the circuit and the input. */
export interface Context {
  readonly nowMs: number;
  readonly policy: DeliveryPolicy['circuit'];
}

/** An open circuit, to be probed after the cool-down. */
export function open(circuit: Circuit, cool_down_ms: number, nowMs: number): In<'open'> {
  const probeAtMs = nowMs + cool_down_ms;
  return withTimer(
    {
      ...lastingOf(circuit),
      ...(circuit.failing_since === undefined ? {} : { has_opened: true as const }),
      state: 'open',
      since: instant(nowMs),
      cool_down_ms,
      probe_at: instant(probeAtMs),
    },
    probeAtMs,
  );
}

/** After a longer outage an endpoint may no longer cope with its previous load. */
const SHORT_OUTAGE_MS = 60_000;

/**
 * A drain starts with a few ordering keys at a time, however large the backlog; after a short outage with
 * half of what was under way before.
 */
export function drain(circuit: Circuit, nowMs: number, policy: Context['policy']): In<'draining'> {
  const { failing_since } = circuit;
  const isShort = failing_since !== undefined && nowMs - Date.parse(failing_since) < SHORT_OUTAGE_MS;
  return withTimer(
    {
      ...lastingOf(circuit),
      state: 'draining',
      since: instant(nowMs),
      window: isShort ? Math.max(policy.firstWindow, circuit.resume_with ?? 0) : policy.firstWindow,
    },
    nowMs,
  );
}

/** The first cool-down, or the one after a failed one. */
export function longer(coolDownMs: number | undefined, policy: Context['policy']): number {
  return coolDownMs === undefined
    ? policy.firstCoolDownMs
    : Math.min(Math.round(policy.coolDownGrowth * coolDownMs), policy.longestCoolDownMs);
}

/** The fields that survive a change of state. Counts begin anew. */
export function lastingOf(circuit: Circuit) {
  const { revision, generation, failing_since, has_opened, rate, asked_at, resume_with, backlog_size } =
    circuit;
  return {
    revision,
    generation,
    failed_ordering_keys: [],
    ...(failing_since === undefined ? {} : { failing_since }),
    ...(has_opened ? { has_opened } : {}),
    ...(rate === undefined ? {} : { rate }),
    ...(asked_at === undefined ? {} : { asked_at }),
    ...(resume_with === undefined ? {} : { resume_with }),
    ...(backlog_size === undefined ? {} : { backlog_size }),
  };
}

/** After a success, failures no longer count as one run. */
export function forgetStreak<C extends Circuit>(circuit: C): C {
  if (circuit.failing_since === undefined) {
    return circuit;
  }
  const { failing_since: _, has_opened: __, ...rest } = circuit;
  return rest as C;
}

export function withTimer<C extends Circuit>(circuit: C, atMs: number): C {
  return { ...circuit, generation: circuit.generation + 1, timer_at: instant(atMs) };
}

/** The new generation makes a pending timer do nothing. */
export function withoutTimer(circuit: In<'closed'>): In<'closed'> {
  const { timer_at: _, ...rest } = circuit;
  return { ...rest, generation: circuit.generation + 1 };
}
