import { instant } from '../text/instant.ts';
import { withCount } from './backlog-size.ts';
import type { Circuit, CircuitInput, CircuitState, In, InputOf } from './circuit.ts';
import { drainOn, lookForStragglers, lookSoon, shut, startDrain } from './draining.ts';
import { pace } from './overload.ts';
import { answerProbe, claimProbe, cutCoolDown, endProbe, halt, startProbes } from './probing.ts';
import { type Context, drain, forgetStreak, open } from './states.ts';

type Step<State extends CircuitState, Kind extends CircuitInput['kind']> = (
  circuit: In<State>,
  input: InputOf<Kind>,
  context: Context,
) => Circuit;

/** For each state, what each input does. An input that is not listed changes nothing. */
const TRANSITIONS: {
  readonly [State in CircuitState]: { readonly [Kind in CircuitInput['kind']]?: Step<State, Kind> };
} = {
  closed: {
    failed: countFailure, // -> open, when it is the twentieth in a row; -> draining, when overloaded
    succeeded: countSuccess,
    crowded: crowd, // -> draining
    timer_fired: lookForStragglers,
    joined: lookSoon,
    halted: halt, // -> open
    resumed: startDrain, // -> draining
  },
  open: {
    succeeded: forgetStreak,
    timer_fired: startProbes, // -> half_open, when it has cooled down
    asked: cutCoolDown,
    halted: halt,
    resumed: startDrain, // -> draining
    shut, // -> closed
  },
  half_open: {
    failed: endProbe, // -> open, when it was the last probe
    succeeded: answerProbe, // -> draining, when it was a probe
    timer_fired: startProbes, // others, when probes were lost
    claimed: claimProbe,
    halted: halt, // -> open
    resumed: startDrain, // -> draining
    shut, // -> closed
  },
  draining: {
    timer_fired: drainOn, // -> open, when all fails; -> closed, when it has been quiet for a minute
    halted: halt, // -> open
    resumed: startDrain,
  },
};

/**
 * The circuit after an input: the same object when nothing changes, so that the caller can skip the write. A
 * new timer is needed exactly when `generation` has advanced and there is a `timer_at`.
 */
export function nextCircuit(circuit: Circuit, input: CircuitInput, context: Context): Circuit {
  const step = TRANSITIONS[circuit.state][input.kind] as Step<CircuitState, CircuitInput['kind']> | undefined;
  const isCounted = input.kind === 'timer_fired' && input.waiting !== undefined;
  const counted = isCounted ? withCount(circuit, input.waiting, context) : circuit;
  const next = step?.(counted as never, input as never, context) ?? counted;
  return next === circuit
    ? circuit
    : { ...rememberTrouble(circuit, next, context.nowMs), revision: circuit.revision + 1 };
}

/**
 * Records when the current trouble began: at the first of the failures that opened the circuit, lasting
 * through probes, drains and further openings until it closes. For people; nothing is decided by it.
 */
function rememberTrouble(before: Circuit, after: Circuit, nowMs: number): Circuit {
  if (after.state === 'closed') {
    return after;
  }
  const in_trouble_since = before.in_trouble_since ?? before.failing_since ?? instant(nowMs);
  return { ...after, in_trouble_since };
}

/** Opens at the twentieth ordering key that fails in a row. A repeated failure does not count. */
function countFailure(circuit: In<'closed'>, input: InputOf<'failed'>, context: Context): Circuit {
  const { key, isNews, answer } = input;
  const { nowMs, policy } = context;
  if (answer === 'overloaded') {
    return pace(circuit, input, context);
  }
  if (!isNews || circuit.failed_ordering_keys.includes(key)) {
    return circuit;
  }
  const counted: In<'closed'> = {
    ...circuit,
    failed_ordering_keys: [...circuit.failed_ordering_keys, key],
    failing_since: circuit.failing_since ?? instant(nowMs),
  };
  return counted.failed_ordering_keys.length >= policy.failedOrderingKeys
    ? open(counted, policy.firstCoolDownMs, nowMs)
    : counted;
}

/**
 * Any success ends a run of failures, however short: a run that outlived one would disable a healthy endpoint
 * days later. Costs a write only where something has failed since the last success.
 */
function countSuccess(circuit: In<'closed'>): Circuit {
  const { failing_since, has_opened: _, ...rest } = circuit;
  const hasFailed = failing_since !== undefined || circuit.failed_ordering_keys.length > 0;
  return hasFailed ? { ...rest, failed_ordering_keys: [] } : circuit;
}

/** Drains, so that a window bounds what is under way. */
function crowd(circuit: In<'closed'>, _: InputOf<'crowded'>, { nowMs, policy }: Context): Circuit {
  return { ...drain(circuit, nowMs, policy), cause: 'crowded' };
}
