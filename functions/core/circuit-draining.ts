import type { Circuit, In, InputOf } from './circuit.ts';
import { type Context, drain, forgetStreak, lastingOf, withoutTimer, withTimer } from './circuit-states.ts';
import { instant } from './instant.ts';

/** Whatever there was counts no more. */
export function startDrain(circuit: Circuit, _input: InputOf<'resumed'>, { nowMs }: Context): Circuit {
  return drain(forgetStreak(circuit), nowMs);
}

/** Closed as at the end of a drain: the ticks go on, for somebody may still park a key on an old reading, and the line's index may lag. */
export function shut(circuit: Circuit, _input: InputOf<'shut'>, { nowMs, policy }: Context): Circuit {
  const lasting = lastingOf(forgetStreak(circuit));
  const closed: In<'closed'> = {
    ...lasting,
    failed_keys: [],
    slow_keys: [],
    state: 'closed',
    since: instant(nowMs),
  };
  return withTimer(closed, nowMs + policy.tickMs);
}

/** The window for the next tick; closed, when for long enough nothing in line was old. */
export function drainOn(
  circuit: In<'draining'>,
  { line, drains }: InputOf<'ticked'>,
  { nowMs, policy }: Context,
): Circuit {
  const first = line.keys[0];
  const isQuiet = first === undefined || nowMs - first.parkedAtMs <= policy.freshMs;
  const { quiet_since: known, success, ...rest } = circuit;
  const quiet_since = isQuiet ? (known ?? instant(nowMs)) : undefined;
  if (quiet_since !== undefined && nowMs - Date.parse(quiet_since) >= policy.quietMs) {
    return withTimer(
      { ...lastingOf(circuit), state: 'closed', since: instant(nowMs) },
      nowMs + policy.tickMs,
    );
  }
  const window = circuit.failed_since_tick
    ? Math.max(1, Math.floor(circuit.window / 2))
    : Math.min(grown(circuit, nowMs, policy), widest(circuit, drains, policy));
  return withTimer(
    {
      ...rest,
      window,
      failed_since_tick: false,
      ...(quiet_since === undefined ? {} : { quiet_since }),
      ...(success === 'awaited' ? { success } : {}),
    },
    nowMs + policy.tickMs,
  );
}

/**
 * Twice as wide, but not while a success is awaited. Nor, beyond as many as open the circuit when they fail, before the first attempts of the
 * drain can have gone unanswered: an endpoint that answers its probe and then hangs would have sixteen by then.
 */
function grown({ window, success, since }: In<'draining'>, nowMs: number, policy: Context['policy']): number {
  if (success === 'awaited') {
    return window;
  }
  const isUntried = nowMs - Date.parse(since ?? instant(0)) < policy.slowMs + policy.tickMs;
  return isUntried ? Math.max(window, Math.min(2 * window, policy.failedKeys)) : 2 * window;
}

/** Its share of what all drains may have under way; as much as it has while nobody can say how many they are. */
function widest({ window }: In<'draining'>, drains: number | undefined, policy: Context['policy']): number {
  const share = drains === undefined ? window : Math.floor(policy.widestWindowOfAll / drains);
  return Math.max(1, Math.min(share, policy.widestWindow));
}

/**
 * After a drain the ticks go on for a while: somebody may still park a key on an old reading. Those of a rate limit never end, and are few while
 * nobody waits.
 */
export function lookForStragglers(
  circuit: In<'closed'>,
  { line, isLimited = false }: InputOf<'ticked'>,
  { nowMs, policy }: Context,
): Circuit {
  if (isLimited) {
    return withTimer(circuit, nowMs + (line.keys.length === 0 ? policy.idleMs : policy.tickMs));
  }
  const closedForMs = nowMs - Date.parse(circuit.since ?? instant(0));
  const isOver = line.keys.length === 0 && closedForMs >= policy.tailMs;
  if (!isOver) {
    return withTimer(circuit, nowMs + policy.tickMs);
  }
  // Whoever was told that many wait has still to hear that there are fewer.
  return circuit.backlog?.since === undefined
    ? withoutTimer(circuit)
    : withTimer(circuit, nowMs + policy.countEveryMs);
}

/** The next tick is now, unless it is near anyway. */
export function lookSoon(
  circuit: In<'closed'>,
  _input: InputOf<'joined'>,
  { nowMs, policy }: Context,
): Circuit {
  const isNear = circuit.tick_at !== undefined && Date.parse(circuit.tick_at) <= nowMs + policy.tickMs;
  return isNear ? circuit : withTimer(circuit, nowMs);
}
