import type { Answers } from '../attempt/answers.ts';
import type { In, InputOf } from './circuit.ts';
import { type Context, drain } from './states.ts';

type Rate = Pick<In<'draining'>, 'rate' | 'calm_timers'>;

/** A rate grows by a tenth, at least by one, after so many timers without a refusal. */
const CALM_TIMERS = 3;
const GROWTH = 1.1;

/**
 * An endpoint that asks for fewer requests gets them through a drain, which bounds how many a timer may
 * start: nothing else would pace the retries of what it refused.
 */
export function pace(
  circuit: In<'closed'>,
  _: InputOf<'failed'>,
  { nowMs, policy }: Context,
): In<'draining'> {
  return { ...drain(circuit, nowMs, policy), cause: 'overloaded', rate: policy.firstWindow };
}

/**
 * How many attempts the next timer may start: what the endpoint took since the last one, as soon as it has
 * refused any as too many, and slowly more while it does not.
 */
export function nextRate({ rate, calm_timers = 0 }: Rate, { succeeded, refused, overloaded }: Answers): Rate {
  if (overloaded > 0) {
    return { rate: Math.max(1, succeeded + refused), calm_timers: 0 };
  }
  if (rate === undefined || succeeded + refused === 0) {
    return rate === undefined ? {} : { rate, calm_timers };
  }
  return calm_timers + 1 < CALM_TIMERS
    ? { rate, calm_timers: calm_timers + 1 }
    : { rate: Math.max(rate + 1, Math.floor(GROWTH * rate)), calm_timers: 0 };
}
