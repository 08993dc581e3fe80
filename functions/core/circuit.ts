import * as z from 'zod/mini';
import type { DeliveryPolicy } from './delivery-policy.ts';
import { instant } from './instant.ts';

/** What a circuit holds in each of its states. Instants are ISO 8601 in UTC with milliseconds. */
const lasting = {
  /** Advances with each write: who writes on an old reading is refused. */
  revision: z.int(),
  /** Advances with each timer: an older timer means nothing any more. */
  tick: z.int(),
  /** When the next timer goes off; absent when none is needed. */
  tick_at: z.optional(z.string()),
  since: z.optional(z.string()),
  /** Keys whose attempts failed, or were slow, since the last quick success. */
  failed_keys: z.array(z.string()),
  slow_keys: z.array(z.string()),
  /** Since when there was nothing but failures. */
  failing_since: z.optional(z.string()),
};

/**
 * The circuit of a subscription. `closed`: attempts are made as messages come. `open`: keys wait in line. `half_open`: the endpoint is being
 * probed. `draining`: the line is worked off, so many at a time.
 */
export const circuitSchema = z.discriminatedUnion('state', [
  z.object({ ...lasting, state: z.literal('closed') }),
  z.object({
    ...lasting,
    state: z.literal('open'),
    cool_down_ms: z.int(),
    /** Absent when nobody is to probe: the subscription is paused or disabled. */
    probe_at: z.optional(z.string()),
  }),
  z.object({
    ...lasting,
    state: z.literal('half_open'),
    cool_down_ms: z.int(),
    /** When to look for another probe, should there be none, or should this one be lost. */
    probe_at: z.string(),
    /** The key that probes; absent while the next message to come is to be the probe. */
    probe_key: z.optional(z.string()),
  }),
  z.object({
    ...lasting,
    state: z.literal('draining'),
    /** So many keys of the line may be under way. */
    window: z.int(),
    failed_since_tick: z.boolean(),
    /** Since when nothing in line was older than two seconds. */
    quiet_since: z.optional(z.string()),
  }),
]);
export type Circuit = z.infer<typeof circuitSchema>;
export type CircuitState = Circuit['state'];
type In<State extends CircuitState> = Extract<Circuit, { state: State }>;

/** A subscription's circuit before anything has gone wrong: it need not be written. */
export const CLOSED: In<'closed'> = { state: 'closed', revision: 0, tick: 0, failed_keys: [], slow_keys: [] };

/** What a tick sees of the line: an index, so it may lag behind. */
export interface LineView {
  /** The first keys, the one that waits longest first. */
  readonly keys: readonly { readonly key: string; readonly parkedAtMs: number }[];
  /** More of it is over age than one tick passes on. */
  readonly isCrowded: boolean;
}

export type CircuitInput =
  | {
      readonly kind: 'succeeded' | 'failed';
      readonly key: string;
      readonly tookMs: number;
      readonly isProbe: boolean;
    }
  | { readonly kind: 'ticked'; readonly line: LineView; readonly timeoutMs: number }
  /** A message has come while the next to come was to be the probe. */
  | { readonly kind: 'claimed'; readonly key: string; readonly timeoutMs: number }
  /** Probing stops, and starts again with a drain: by the owner's wish, or because the subscription was disabled. */
  | { readonly kind: 'halted' }
  | { readonly kind: 'resumed' };

interface Context {
  readonly nowMs: number;
  readonly policy: DeliveryPolicy['circuit'];
}
type Input<Kind extends CircuitInput['kind']> = Extract<CircuitInput, { kind: Kind }>;
type Step<State extends CircuitState, Kind extends CircuitInput['kind']> = (
  circuit: In<State>,
  input: Input<Kind>,
  context: Context,
) => Circuit;

/** The machine: for each state, what each input makes of it. An input that is not listed changes nothing. */
const TRANSITIONS: {
  readonly [State in CircuitState]: { readonly [Kind in CircuitInput['kind']]?: Step<State, Kind> };
} = {
  closed: {
    failed: countFailure, // -> open, when it is the fifth key
    succeeded: countSuccess, // -> draining, when it is the fifth slow key
    ticked: lookForStragglers,
    halted: halt, // -> open
    resumed: startDrain, // -> draining
  },
  open: {
    succeeded: forgetStreak,
    ticked: chooseProbe, // -> half_open, when it has cooled down
    halted: halt,
    resumed: startDrain, // -> draining
  },
  half_open: {
    failed: endProbe, // -> open
    succeeded: answerProbe, // -> draining
    ticked: chooseProbe, // another one, when the probe was lost
    claimed: leaseProbe,
    halted: halt, // -> open
    resumed: startDrain, // -> draining
  },
  draining: {
    failed: countFailure, // -> open, when it is the fifth key
    succeeded: countSuccess,
    ticked: drainOn, // -> closed, when it has been quiet for a minute
    halted: halt, // -> open
    resumed: startDrain,
  },
};

/**
 * The circuit after an input: the same object when nothing changes, so that the caller need not write. A new timer is wanted exactly when
 * `tick` has advanced and there is a `tick_at`.
 */
export function nextCircuit(circuit: Circuit, input: CircuitInput, context: Context): Circuit {
  const step = TRANSITIONS[circuit.state][input.kind] as Step<CircuitState, CircuitInput['kind']> | undefined;
  const next = step?.(circuit as never, input as never, context) ?? circuit;
  return next === circuit ? circuit : { ...next, revision: circuit.revision + 1 };
}

function countFailure(
  circuit: In<'closed'> | In<'draining'>,
  { key, tookMs }: Input<'failed'>,
  context: Context,
): Circuit {
  const { nowMs, policy } = context;
  const counted = {
    ...countSlow(circuit, key, tookMs, context),
    failed_keys: withKey(circuit.failed_keys, key),
    failing_since: circuit.failing_since ?? instant(nowMs),
  };
  if (counted.failed_keys.length >= policy.failedKeys) {
    return open(counted, policy.firstCoolDownMs, nowMs);
  }
  if (counted.state === 'draining') {
    return { ...counted, failed_since_tick: true };
  }
  if (counted.slow_keys.length >= policy.slowKeys) {
    return drain({ ...counted, slow_keys: [] }, nowMs);
  }
  const isKnown =
    counted.failed_keys === circuit.failed_keys &&
    counted.slow_keys === circuit.slow_keys &&
    circuit.failing_since !== undefined;
  return isKnown ? circuit : counted;
}

function countSuccess(
  circuit: In<'closed'> | In<'draining'>,
  { key, tookMs }: Input<'succeeded'>,
  context: Context,
): Circuit {
  if (tookMs <= context.policy.slowMs) {
    const isClean = circuit.failed_keys.length === 0 && circuit.slow_keys.length === 0;
    return isClean ? forgetStreak(circuit) : { ...forgetStreak(circuit), failed_keys: [], slow_keys: [] };
  }
  const counted = forgetStreak(countSlow(circuit, key, tookMs, context));
  return counted.state === 'closed' && counted.slow_keys.length >= context.policy.slowKeys
    ? drain({ ...counted, slow_keys: [] }, context.nowMs)
    : counted;
}

/** A drain bounds already what is under way: slow keys matter to a closed circuit only. */
function countSlow<C extends In<'closed'> | In<'draining'>>(
  circuit: C,
  key: string,
  tookMs: number,
  { policy }: Context,
): C {
  const counts = circuit.state === 'closed' && tookMs > policy.slowMs && !circuit.slow_keys.includes(key);
  return counts ? { ...circuit, slow_keys: withKey(circuit.slow_keys, key) } : circuit;
}

/** There was a success: not nothing but failures. */
function forgetStreak<C extends Circuit>(circuit: C): C {
  if (circuit.failing_since === undefined) {
    return circuit;
  }
  const { failing_since: _, ...rest } = circuit;
  return rest as C;
}

/** After a drain the ticks go on for a while: somebody may still park a key on an old reading. */
function lookForStragglers(
  circuit: In<'closed'>,
  { line }: Input<'ticked'>,
  { nowMs, policy }: Context,
): Circuit {
  const isOver = line.keys.length === 0 && nowMs - Date.parse(circuit.since ?? instant(0)) >= policy.tailMs;
  return isOver ? withoutTimer(circuit) : withTimer(circuit, nowMs + policy.tickMs);
}

function chooseProbe(
  circuit: In<'open'> | In<'half_open'>,
  { line, timeoutMs }: Input<'ticked'>,
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
  const chosen = line.keys.find(({ key }) => key !== lost)?.key ?? line.keys[0]?.key;
  const { cool_down_ms } = circuit;
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
    : leaseProbe(half, { kind: 'claimed', key: chosen, timeoutMs }, context);
}

/** The probe has until then: for its hint to arrive, and for its attempt. */
function leaseProbe(
  circuit: In<'half_open'>,
  { key, timeoutMs }: Input<'claimed'>,
  { nowMs, policy }: Context,
): Circuit {
  const endsAtMs = nowMs + policy.probeTransitMs + timeoutMs;
  return withTimer({ ...circuit, probe_key: key, probe_at: instant(endsAtMs) }, endsAtMs);
}

function endProbe(
  circuit: In<'half_open'>,
  { key, isProbe }: Input<'failed'>,
  { nowMs, policy }: Context,
): Circuit {
  return isProbe && key === circuit.probe_key
    ? open(circuit, Math.min(2 * circuit.cool_down_ms, policy.longestCoolDownMs), nowMs)
    : circuit;
}

function answerProbe(
  circuit: In<'half_open'>,
  { key, isProbe }: Input<'succeeded'>,
  { nowMs }: Context,
): Circuit {
  return isProbe && key === circuit.probe_key ? drain(forgetStreak(circuit), nowMs) : forgetStreak(circuit);
}

function startDrain(circuit: Circuit, _input: Input<'resumed'>, { nowMs }: Context): Circuit {
  return drain(forgetStreak(circuit), nowMs);
}

/** A drain starts with one key at a time, whatever waits. */
function drain(circuit: Circuit, nowMs: number): In<'draining'> {
  return withTimer(
    {
      ...lastingOf(circuit),
      state: 'draining',
      since: instant(nowMs),
      window: 1,
      failed_since_tick: false,
    },
    nowMs,
  );
}

function drainOn(circuit: In<'draining'>, { line }: Input<'ticked'>, { nowMs, policy }: Context): Circuit {
  const first = line.keys[0];
  const isQuiet = first === undefined || nowMs - first.parkedAtMs <= policy.freshMs;
  const { quiet_since: known, ...rest } = circuit;
  const quiet_since = isQuiet ? (known ?? instant(nowMs)) : undefined;
  if (quiet_since !== undefined && nowMs - Date.parse(quiet_since) >= policy.quietMs) {
    return withTimer(
      { ...lastingOf(circuit), state: 'closed', since: instant(nowMs) },
      nowMs + policy.tickMs,
    );
  }
  const window = circuit.failed_since_tick
    ? Math.max(1, Math.floor(circuit.window / 2))
    : Math.min(2 * circuit.window, policy.widestWindow);
  return withTimer(
    { ...rest, window, failed_since_tick: false, ...(quiet_since === undefined ? {} : { quiet_since }) },
    nowMs + policy.tickMs,
  );
}

/** Open, and nobody probes. */
function halt(circuit: Circuit, _input: Input<'halted'>, { nowMs, policy }: Context): Circuit {
  const { probe_at: _, ...halted } = open(circuit, policy.longestCoolDownMs, nowMs);
  return halted;
}

function open(circuit: Circuit, cool_down_ms: number, nowMs: number): In<'open'> {
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

function lastingOf({ revision, tick, tick_at, since, failed_keys, slow_keys, failing_since }: Circuit) {
  return {
    revision,
    tick,
    ...(tick_at === undefined ? {} : { tick_at }),
    ...(since === undefined ? {} : { since }),
    failed_keys,
    slow_keys,
    ...(failing_since === undefined ? {} : { failing_since }),
  };
}

function withTimer<C extends Circuit>(circuit: C, atMs: number): C {
  return { ...circuit, tick: circuit.tick + 1, tick_at: instant(atMs) };
}

function withoutTimer<C extends Circuit>({ tick_at: _, ...circuit }: C): C {
  return { ...circuit, tick: circuit.tick + 1 } as unknown as C;
}

function withKey(keys: readonly string[], key: string): string[] {
  return keys.includes(key) ? (keys as string[]) : [...keys, key];
}
