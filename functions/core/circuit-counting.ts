import type { Circuit, In, InputOf } from './circuit.ts';
import { type Context, drain, forgetStreak, open } from './circuit-states.ts';
import { instant } from './instant.ts';

type Counting = In<'closed'> | In<'draining'>;

/** Opens with the fifth key that has failed since the last quick success. */
export function countFailure(
  circuit: Counting,
  { key, tookMs }: InputOf<'failed'>,
  context: Context,
): Circuit {
  const { nowMs, policy } = context;
  const counted: Counting = {
    ...(tookMs > policy.slowMs ? countSlow(circuit, key) : circuit),
    failed_keys: withKey(circuit.failed_keys, key),
    failing_since: circuit.failing_since ?? instant(nowMs),
  };
  if (counted.failed_keys.length >= policy.failedKeys) {
    return open(counted, policy.firstCoolDownMs, nowMs);
  }
  if (counted.slow_keys.length >= policy.slowKeys) {
    return drain(counted, nowMs);
  }
  const isKnown =
    counted.failed_keys === circuit.failed_keys &&
    counted.slow_keys === circuit.slow_keys &&
    circuit.failing_since !== undefined;
  if (counted.state === 'draining') {
    return isKnown && counted.failed_since_tick ? circuit : { ...counted, failed_since_tick: true };
  }
  return isKnown ? circuit : counted;
}

/** A quick success clears what was counted, and changes nothing where nothing was; the fifth slow key starts a drain. */
export function countSuccess(
  circuit: Counting,
  { key, tookMs }: InputOf<'succeeded'>,
  context: Context,
): Circuit {
  const answered = forgetStreak(seeSuccess(circuit));
  if (tookMs <= context.policy.slowMs) {
    const isClean = circuit.failed_keys.length === 0 && circuit.slow_keys.length === 0;
    return isClean ? answered : { ...answered, failed_keys: [], slow_keys: [] };
  }
  return drainIfSlow(countSlow(answered, key), context);
}

/** Slow already, however it will end; by then its key is known. The drain begins with nobody having answered. */
export function countUnanswered(
  circuit: In<'closed'>,
  { key }: InputOf<'unanswered'>,
  context: Context,
): Circuit {
  const next = drainIfSlow(countSlow(circuit, key), context);
  return next.state === 'draining' ? awaitSuccess(next) : next;
}

/** Whatever has been under way for so long, since the drain began or from before: nobody knows whether the endpoint answers at all. */
export function awaitSuccess(circuit: In<'draining'>): In<'draining'> {
  return circuit.success === undefined ? { ...circuit, success: 'awaited' } : circuit;
}

function seeSuccess(circuit: Counting): Counting {
  return circuit.state === 'draining' && circuit.success === 'awaited'
    ? { ...circuit, success: 'seen' }
    : circuit;
}

/** A drain bounds already what is under way: slow keys matter to a closed circuit only. */
function countSlow<C extends Counting>(circuit: C, key: string): C {
  const slow_keys = withKey(circuit.slow_keys, key);
  return circuit.state === 'closed' && slow_keys !== circuit.slow_keys ? { ...circuit, slow_keys } : circuit;
}

function drainIfSlow(counted: Counting, { nowMs, policy }: Context): Counting {
  return counted.slow_keys.length >= policy.slowKeys ? drain(counted, nowMs) : counted;
}

function withKey(keys: string[], key: string): string[] {
  return keys.includes(key) ? keys : [...keys, key];
}
