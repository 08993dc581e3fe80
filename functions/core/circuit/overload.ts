import type { Answers } from '../attempt/answers.ts';
import type { In, InputOf } from './circuit.ts';
import { type Context, drain } from './states.ts';

type Rate = Pick<In<'draining'>, 'rate' | 'calm_timers'>;

/** Once a drain has met a refusal, its rate grows after this many timers without, at least by one. */
const CALM_TIMERS = 3;
const GROWTH = 1.1;

/** Above this many a second, only the window bounds a drain. */
const MAX_RATE = 500;

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
 * refused any as too many, and slowly more while it does not. A drain that has met no refusal doubles it,
 * until it is no bound any more.
 */
export function nextRate({ rate, calm_timers }: Rate, { succeeded, refused, overloaded }: Answers): Rate {
  if (overloaded > 0) {
    return { rate: Math.max(1, succeeded + refused), calm_timers: 0 };
  }
  if (rate === undefined) {
    return {};
  }
  if (succeeded + refused === 0) {
    return { rate, ...(calm_timers === undefined ? {} : { calm_timers }) };
  }
  if (calm_timers === undefined) {
    return 2 * rate > MAX_RATE ? {} : { rate: 2 * rate };
  }
  return calm_timers + 1 < CALM_TIMERS
    ? { rate, calm_timers: calm_timers + 1 }
    : { rate: Math.max(rate + 1, Math.floor(GROWTH * rate)), calm_timers: 0 };
}
