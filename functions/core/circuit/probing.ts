import { instant } from '../text/instant.ts';
import type { Circuit, In, InputOf } from './circuit.ts';
import { type Context, drain, forgetStreak, lastingOf, longer, open, withTimer } from './states.ts';

/**
 * Starts a round of probes when the circuit has cooled down or its probes are lost: as many as a drain starts
 * with, from all over the backlog. One ordering key alone would only show whether the endpoint takes *that*
 * payment. With an empty backlog, the next message to arrive becomes the probe.
 */
export function startProbes(
  circuit: In<'open'> | In<'half_open'>,
  { sample = [], timeoutMs }: InputOf<'timer_fired'>,
  context: Context,
): Circuit {
  const { nowMs, policy } = context;
  const probeAtMs = circuit.probe_at === undefined ? undefined : Date.parse(circuit.probe_at);
  if (probeAtMs === undefined || nowMs < probeAtMs) {
    // No probe, or not yet.
    return withTimer(circuit, probeAtMs ?? nowMs + policy.longestCoolDownMs);
  }
  const probes = sample.slice(0, Math.min(policy.firstWindow, circuit.rate ?? policy.firstWindow));
  // While the backlog stays empty, look less and less often.
  const isIdle = probes.length === 0 && circuit.state === 'half_open';
  const cool_down_ms = isIdle ? longer(circuit.cool_down_ms, policy) : circuit.cool_down_ms;
  const nextMs = nowMs + cool_down_ms;
  const half: In<'half_open'> = {
    ...lastingOf(circuit),
    state: 'half_open',
    since: instant(nowMs),
    cool_down_ms,
    probe_at: instant(nextMs),
    probes: [],
  };
  return probes.length === 0 ? withTimer(half, nextMs) : leaseProbes(half, probes, timeoutMs, context);
}

/** A partner may say so often that the endpoint is back: each time costs it a round of probes. */
const ASK_EVERY_MS = 60_000;

/** Seconds until a partner may say again that the endpoint is back. Undefined: now. */
export function secondsToNextAsk({ asked_at }: Pick<Circuit, 'asked_at'>, nowMs: number): number | undefined {
  const waitMs = asked_at === undefined ? 0 : Date.parse(asked_at) + ASK_EVERY_MS - nowMs;
  return waitMs > 0 ? Math.ceil(waitMs / 1_000) : undefined;
}

/** Probes are due at once. If they fail, the next cool-down is as long as this one was. */
export function cutCoolDown(circuit: In<'open'>, _: InputOf<'asked'>, { nowMs, policy }: Context): Circuit {
  if (circuit.probe_at === undefined) {
    return circuit;
  }
  const shorter = Math.round(circuit.cool_down_ms / policy.coolDownGrowth);
  const cool_down_ms = Math.max(policy.firstCoolDownMs, shorter);
  const now = instant(nowMs);
  return withTimer({ ...circuit, cool_down_ms, probe_at: now, asked_at: now }, nowMs);
}

/** The first message to arrive is the probe; those that arrive while it is under way wait in the backlog. */
export function claimProbe(
  circuit: In<'half_open'>,
  { key, timeoutMs }: InputOf<'claimed'>,
  context: Context,
): Circuit {
  return circuit.probes.length === 0 ? leaseProbes(circuit, [key], timeoutMs, context) : circuit;
}

/** The lease covers the signals' transit and the attempts. */
function leaseProbes(
  circuit: In<'half_open'>,
  probes: string[],
  timeoutMs: number,
  { nowMs, policy }: Context,
): Circuit {
  const endsAtMs = nowMs + policy.probeTransitMs + timeoutMs;
  return withTimer({ ...circuit, probes, probe_at: instant(endsAtMs) }, endsAtMs);
}

/**
 * Only probes count: attempts that were under way when the circuit opened say nothing new. The round fails
 * with its last probe. A refusal starts a drain: the endpoint answers, and the other messages must be tried.
 */
export function endProbe(
  circuit: In<'half_open'>,
  { key, isProbe, answer, retryAfterMs = 0 }: InputOf<'failed'>,
  context: Context,
): Circuit {
  const { nowMs, policy } = context;
  if (!isProbe || !circuit.probes.includes(key)) {
    return circuit;
  }
  // A late success of an earlier attempt may have ended the run of failures that opened the circuit.
  const failing = { ...circuit, failing_since: circuit.failing_since ?? instant(nowMs) };
  if (answer === 'refused') {
    return drainAfterProbe(failing, context);
  }
  const probes = circuit.probes.filter((probe) => probe !== key);
  const asked = Math.min(retryAfterMs, policy.longestCoolDownMs);
  return probes.length > 0
    ? { ...failing, probes }
    : open(failing, Math.max(longer(circuit.cool_down_ms, policy), asked), nowMs);
}

export function answerProbe(
  circuit: In<'half_open'>,
  { key, isProbe }: InputOf<'succeeded'>,
  context: Context,
): Circuit {
  return forgetStreak(isProbe && circuit.probes.includes(key) ? drainAfterProbe(circuit, context) : circuit);
}

/**
 * The drain remembers the cool-down: if it fails, the next one is longer. It takes some from anywhere in the
 * backlog until nothing fails: the head may be what the endpoint fails on.
 */
function drainAfterProbe(circuit: In<'half_open'>, { nowMs, policy }: Context): Circuit {
  return { ...drain(circuit, nowMs, policy), spreads: true, cool_down_ms: circuit.cool_down_ms };
}

/** Opens the circuit without a probe. */
export function halt(circuit: Circuit, _input: InputOf<'halted'>, { nowMs, policy }: Context): Circuit {
  const { probe_at: _, ...halted } = open(circuit, policy.longestCoolDownMs, nowMs);
  return halted;
}
