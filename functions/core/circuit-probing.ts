import type { Circuit, In, InputOf } from './circuit.ts';
import { type Context, drain, forgetStreak, lastingOf, open, withTimer } from './circuit-states.ts';
import { instant } from './instant.ts';

/** When the circuit has cooled down, or its probe is lost: the first in line is the probe; with nobody in line, the next message to come. */
export function chooseProbe(
  circuit: In<'open'> | In<'half_open'>,
  { line, timeoutMs }: InputOf<'ticked'>,
  context: Context,
): Circuit {
  const { nowMs, policy } = context;
  const probeAtMs = circuit.probe_at === undefined ? undefined : Date.parse(circuit.probe_at);
  if (probeAtMs === undefined || nowMs < probeAtMs) {
    // Nobody probes, or not yet: this tick has only passed on what is over age.
    const nextMs = probeAtMs ?? nowMs + policy.longestCoolDownMs;
    return withTimer(circuit, line.isCrowded ? Math.min(nextMs, nowMs + policy.tickMs) : nextMs);
  }
  const lost = circuit.state === 'half_open' ? circuit.probe_key : undefined;
  // Whoever was lost as a probe is asked again only when there is nobody else.
  const chosen = (line.keys.find(({ key }) => key !== lost) ?? line.keys[0])?.key;
  // Looked at again and again with nobody in line, it is looked at less and less.
  const isIdle = chosen === undefined && circuit.state === 'half_open';
  const cool_down_ms = isIdle
    ? Math.min(2 * circuit.cool_down_ms, policy.longestCoolDownMs)
    : circuit.cool_down_ms;
  const nextMs = nowMs + cool_down_ms;
  const half: In<'half_open'> = {
    ...lastingOf(circuit),
    state: 'half_open',
    since: instant(nowMs),
    cool_down_ms,
    probe_at: instant(nextMs),
  };
  return chosen === undefined ? withTimer(half, nextMs) : leaseProbe(half, chosen, timeoutMs, context);
}

/** The first message to come is the probe; those that come while it is under way wait in line. */
export function claimProbe(
  circuit: In<'half_open'>,
  { key, timeoutMs }: InputOf<'claimed'>,
  context: Context,
): Circuit {
  return circuit.probe_key === undefined ? leaseProbe(circuit, key, timeoutMs, context) : circuit;
}

/** The probe has until then: for its hint to arrive, and for its attempt. */
function leaseProbe(
  circuit: In<'half_open'>,
  key: string,
  timeoutMs: number,
  { nowMs, policy }: Context,
): Circuit {
  const endsAtMs = nowMs + policy.probeTransitMs + timeoutMs;
  return withTimer({ ...circuit, probe_key: key, probe_at: instant(endsAtMs) }, endsAtMs);
}

/** What was under way when the circuit opened tells nothing new: the probe alone counts. */
export function endProbe(
  circuit: In<'half_open'>,
  { key, isProbe }: InputOf<'failed'>,
  { nowMs, policy }: Context,
): Circuit {
  if (!isProbe || key !== circuit.probe_key) {
    return circuit;
  }
  // A success that came late, of what was under way, may have ended the streak that opened the circuit.
  const failing = { ...circuit, failing_since: circuit.failing_since ?? instant(nowMs) };
  return open(failing, Math.min(2 * circuit.cool_down_ms, policy.longestCoolDownMs), nowMs);
}

export function answerProbe(
  circuit: In<'half_open'>,
  { key, isProbe }: InputOf<'succeeded'>,
  { nowMs }: Context,
): Circuit {
  const answered = forgetStreak(circuit);
  return isProbe && key === circuit.probe_key ? drain(answered, nowMs) : answered;
}

/** Open, and nobody probes. */
export function halt(circuit: Circuit, _input: InputOf<'halted'>, { nowMs, policy }: Context): Circuit {
  const { probe_at: _, ...halted } = open(circuit, policy.longestCoolDownMs, nowMs);
  return halted;
}
