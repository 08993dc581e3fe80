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
    ...countSlow(circuit, key, tookMs, context),
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
  if (tookMs <= context.policy.slowMs) {
    const isClean = circuit.failed_keys.length === 0 && circuit.slow_keys.length === 0;
    return isClean ? forgetStreak(circuit) : { ...forgetStreak(circuit), failed_keys: [], slow_keys: [] };
  }
  const counted = forgetStreak(countSlow(circuit, key, tookMs, context));
  return counted.slow_keys.length >= context.policy.slowKeys ? drain(counted, context.nowMs) : counted;
}

/** A drain bounds already what is under way: slow keys matter to a closed circuit only. */
function countSlow(circuit: Counting, key: string, tookMs: number, { policy }: Context): Counting {
  const isCounted = circuit.state === 'closed' && tookMs > policy.slowMs && !circuit.slow_keys.includes(key);
  return isCounted ? { ...circuit, slow_keys: withKey(circuit.slow_keys, key) } : circuit;
}

function withKey(keys: string[], key: string): string[] {
  return keys.includes(key) ? keys : [...keys, key];
}
