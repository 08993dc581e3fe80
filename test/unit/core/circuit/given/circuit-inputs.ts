import { type Answers, NO_ANSWERS } from '../../../../../functions/core/attempt/answers.ts';
import { DELIVERY_POLICY } from '../../../../../functions/core/attempt/delivery-policy.ts';
import type { Circuit, CircuitInput, InputOf } from '../../../../../functions/core/circuit/circuit.ts';
import { nextCircuit } from '../../../../../functions/core/circuit/transitions.ts';
import { at } from './circuits.ts';

/** The circuit after an input, half a minute after ten unless given. */
export function step(circuit: Circuit, input: CircuitInput, seconds = 30): Circuit {
  return nextCircuit(circuit, input, { nowMs: at(seconds), policy: DELIVERY_POLICY.circuit });
}

export function succeeded(key = 'b', isProbe = false): InputOf<'succeeded'> {
  return { kind: 'succeeded', key, isProbe };
}

/** A first failure of a message, at an unwell endpoint. */
export function failed(key = 'b', over: Partial<InputOf<'failed'>> = {}): InputOf<'failed'> {
  return { kind: 'failed', key, answer: 'unwell', isNews: true, isProbe: false, ...over };
}

/**
 * A timer that finds these ordering keys in the backlog, and in a sample of it, since ten o'clock and not in
 * hand, with no other drains and no slow attempts.
 */
export function timerFired(
  keys: readonly string[] = [],
  over: Partial<Omit<InputOf<'timer_fired'>, 'kind'>> = {},
): InputOf<'timer_fired'> {
  const backlog = { keys: keys.map((key) => ({ key, backloggedAtMs: at(0), isInHand: false })) };
  return { kind: 'timer_fired', backlog, sample: keys, timeoutMs: 10_000, drains: 1, ...over };
}

export function answers(over: Partial<Answers>): Answers {
  return { ...NO_ANSWERS, ...over };
}
