import { instant } from '../text/instant.ts';
import type { BacklogView, Circuit, In, InputOf } from './circuit.ts';
import { type Context, drain, forgetStreak, lastingOf, longer, open, withTimer } from './states.ts';

/**
 * Chooses the next probe when the circuit has cooled down or its probe is lost: the ordering key behind the
 * last probe, so that all ordering keys of the backlog take turns. With an empty backlog, the next message to
 * arrive becomes the probe.
 */
export function chooseProbe(
  circuit: In<'open'> | In<'half_open'>,
  { backlog, timeoutMs }: InputOf<'timer_fired'>,
  context: Context,
): Circuit {
  const { nowMs, policy } = context;
  const probeAtMs = circuit.probe_at === undefined ? undefined : Date.parse(circuit.probe_at);
  if (probeAtMs === undefined || nowMs < probeAtMs) {
    // No probe, or not yet.
    return withTimer(circuit, probeAtMs ?? nowMs + policy.longestCoolDownMs);
  }
  const chosen = nextProbe(backlog, circuit.probed);
  // While the backlog stays empty, look less and less often.
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

/** The first ordering key behind the last probe, else the first of all. */
function nextProbe({ keys }: BacklogView, probed = ''): { key: string; position: string } | undefined {
  const positions = keys
    .map((key) => ({ key: key.key, position: positionOf(key) }))
    .sort((one, other) => (one.position < other.position ? -1 : 1));
  return positions.find(({ position }) => position > probed) ?? positions[0];
}

function positionOf({ key, parkedAtMs }: BacklogView['keys'][number]): string {
  return `${instant(parkedAtMs)} ${key}`;
}

/** Whether any of these is behind the last probe: if not, the next round begins. */
export function isAnyBehind({ probed = '' }: Circuit, { keys }: BacklogView): boolean {
  return keys.some((key) => positionOf(key) > probed);
}

/** Where in the backlog a timer starts looking for the next probe, ISO 8601; undefined: at its beginning. */
export function probesFrom(circuit: Circuit): string | undefined {
  return circuit.state === 'open' || circuit.state === 'half_open'
    ? circuit.probed?.split(' ')[0]
    : undefined;
}

/** The first message to arrive is the probe; those that arrive while it is under way wait in the backlog. */
export function claimProbe(
  circuit: In<'half_open'>,
  { key, timeoutMs }: InputOf<'claimed'>,
  context: Context,
): Circuit {
  return circuit.probe_key === undefined ? leaseProbe(circuit, key, timeoutMs, context) : circuit;
}

/** The lease covers the signal's transit and the attempt. */
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
 * Only the probe counts: attempts that were under way when the circuit opened say nothing new. A refusal
 * starts a drain: the endpoint answers, and the other messages must be tried.
 */
export function endProbe(
  circuit: In<'half_open'>,
  { key, isProbe, answer }: InputOf<'failed'>,
  context: Context,
): Circuit {
  const { nowMs, policy } = context;
  if (!isProbe || key !== circuit.probe_key) {
    return circuit;
  }
  // A late success of an earlier attempt may have ended the run of failures that opened the circuit.
  const failing = { ...circuit, failing_since: circuit.failing_since ?? instant(nowMs) };
  return answer === 'refused'
    ? drainAfterProbe(failing, context)
    : open(failing, longer(circuit.cool_down_ms, policy), nowMs);
}

export function answerProbe(
  circuit: In<'half_open'>,
  { key, isProbe }: InputOf<'succeeded'>,
  context: Context,
): Circuit {
  return forgetStreak(isProbe && key === circuit.probe_key ? drainAfterProbe(circuit, context) : circuit);
}

/** The drain remembers the cool-down: if it fails, the next one is longer. */
function drainAfterProbe(circuit: In<'half_open'>, { nowMs, policy }: Context): Circuit {
  return { ...drain(circuit, nowMs, policy), cool_down_ms: circuit.cool_down_ms };
}

/** Opens the circuit without a probe. */
export function halt(circuit: Circuit, _input: InputOf<'halted'>, { nowMs, policy }: Context): Circuit {
  const { probe_at: _, ...halted } = open(circuit, policy.longestCoolDownMs, nowMs);
  return halted;
}
