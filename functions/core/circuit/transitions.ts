import { withCount } from './backlog-size.ts';
import type { Circuit, CircuitInput, CircuitState, In, InputOf } from './circuit.ts';
import { countFailure, countSuccess, crowd } from './counting.ts';
import { drainOn, lookForStragglers, lookSoon, shut, startDrain } from './draining.ts';
import { answerProbe, chooseProbe, claimProbe, endProbe, halt } from './probing.ts';
import { type Context, forgetStreak } from './states.ts';
import { rememberTrouble } from './trouble.ts';

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
    failed: countFailure, // -> open, when it is the twentieth in a row
    succeeded: countSuccess,
    crowded: crowd, // -> draining
    timer_fired: lookForStragglers,
    joined: lookSoon,
    halted: halt, // -> open
    resumed: startDrain, // -> draining
  },
  open: {
    succeeded: forgetStreak,
    timer_fired: chooseProbe, // -> half_open, when it has cooled down
    halted: halt,
    resumed: startDrain, // -> draining
    shut, // -> closed
  },
  half_open: {
    failed: endProbe, // -> open, when it was the probe
    succeeded: answerProbe, // -> draining, when it was the probe
    timer_fired: chooseProbe, // another one, when the probe was lost
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
 * new timer is needed exactly when `tick` has advanced and there is a `tick_at`.
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
