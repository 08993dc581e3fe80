import { instant } from '../text/instant.ts';
import type { BacklogView, Circuit, In, InputOf } from './circuit.ts';
import { type Context, drain, forgetStreak, lastingOf, longer, open, withTimer } from './states.ts';

/**
 * When the circuit has cooled down, or its probe is lost, the key behind the last probe is the next one: all that wait in line take turns. With nobody in line
 * it is the next message to come.
 */
export function chooseProbe(
  circuit: In<'open'> | In<'half_open'>,
  { backlog, timeoutMs }: InputOf<'ticked'>,
  context: Context,
): Circuit {
  const { nowMs, policy } = context;
  const probeAtMs = circuit.probe_at === undefined ? undefined : Date.parse(circuit.probe_at);
  if (probeAtMs === undefined || nowMs < probeAtMs) {
    // Nobody probes, or not yet.
    return withTimer(circuit, probeAtMs ?? nowMs + policy.longestCoolDownMs);
  }
  const chosen = nextProbe(backlog, circuit.probed);
  // Looked at again and again with nobody in line, it is looked at less and less.
  const isIdle = chosen === undefined && circuit.state === 'half_open';
  const cool_down_ms = isIdle ? longer(circuit.cool_down_ms, policy) : circuit.cool_down_ms;
  const nextMs = nowMs + cool_down_ms;
  const half: In<'half_open'> = {
    ...lastingOf(circuit),
    state: 'half_open',
    since: instant(nowMs),
    cool_down_ms,
    probe_at: instant(nextMs),
  };
  return chosen === undefined
    ? withTimer(half, nextMs)
    : leaseProbe({ ...half, probed: chosen.position }, chosen.key, timeoutMs, context);
}

/** The first one behind the last probe, else the first of all. */
function nextProbe({ keys }: BacklogView, probed = ''): { key: string; position: string } | undefined {
  const positions = keys
    .map((key) => ({ key: key.key, position: positionOf(key) }))
    .sort((one, other) => (one.position < other.position ? -1 : 1));
  return positions.find(({ position }) => position > probed) ?? positions[0];
}

function positionOf({ key, parkedAtMs }: BacklogView['keys'][number]): string {
  return `${instant(parkedAtMs)} ${key}`;
}

/** Whether one of these stands behind the last probe: if not, the next round begins. */
export function isAnyBehind({ probed = '' }: Circuit, { keys }: BacklogView): boolean {
  return keys.some((key) => positionOf(key) > probed);
}

/** From where on in line a tick has to look for the next probe, ISO 8601; undefined: from its beginning. */
export function probesFrom(circuit: Circuit): string | undefined {
  return circuit.state === 'open' || circuit.state === 'half_open'
    ? circuit.probed?.split(' ')[0]
    : undefined;
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

/**
 * What was under way when the circuit opened tells nothing new: the probe alone counts. A refusal is an answer: the endpoint is there, and has to be asked about
 * the other messages.
 */
export function endProbe(
  circuit: In<'half_open'>,
  { key, isProbe, answer }: InputOf<'failed'>,
  { nowMs, policy }: Context,
): Circuit {
  if (!isProbe || key !== circuit.probe_key) {
    return circuit;
  }
  // A success that came late, of what was under way, may have ended the streak that opened the circuit.
  const failing = { ...circuit, failing_since: circuit.failing_since ?? instant(nowMs) };
  return answer === 'refused'
    ? drain(failing, nowMs, policy)
    : open(failing, longer(circuit.cool_down_ms, policy), nowMs);
}

export function answerProbe(
  circuit: In<'half_open'>,
  { key, isProbe }: InputOf<'succeeded'>,
  { nowMs, policy }: Context,
): Circuit {
  return forgetStreak(isProbe && key === circuit.probe_key ? drain(circuit, nowMs, policy) : circuit);
}

/** Open, and nobody probes. */
export function halt(circuit: Circuit, _input: InputOf<'halted'>, { nowMs, policy }: Context): Circuit {
  const { probe_at: _, ...halted } = open(circuit, policy.longestCoolDownMs, nowMs);
  return halted;
}
