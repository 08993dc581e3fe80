import { instant } from '../text/instant.ts';
import type { Circuit, In, InputOf } from './circuit.ts';
import { type Context, drain, forgetStreak, open } from './states.ts';

/** A success does not reset shorter runs of failures: a write per success would cost more than they mean. */
const FEW_FAILED = 5;
/** A success always resets runs at least this old, so a run looks longer than it is by at most this much. */
const STALE_STREAK_MS = 60_000;

/** Opens at the twentieth ordering key that fails in a row. A repeated failure does not count. */
export function countFailure(
  circuit: In<'closed'>,
  { key, isNews }: InputOf<'failed'>,
  { nowMs, policy }: Context,
): Circuit {
  if (!isNews || circuit.failed_keys.includes(key)) {
    return circuit;
  }
  const counted: In<'closed'> = {
    ...circuit,
    failed_keys: [...circuit.failed_keys, key],
    failing_since: circuit.failing_since ?? instant(nowMs),
  };
  return counted.failed_keys.length >= policy.failedKeys
    ? open(counted, policy.firstCoolDownMs, nowMs)
    : counted;
}

/** A success ends a run of failures. Short, recent runs are left as they are, which saves a write. */
export function countSuccess(
  circuit: In<'closed'>,
  _: InputOf<'succeeded'>,
  { nowMs, policy }: Context,
): Circuit {
  const { failed_keys, failing_since } = circuit;
  const isMuch = failed_keys.length >= Math.max(1, Math.min(FEW_FAILED, policy.failedKeys - 1));
  const isStale = failing_since !== undefined && nowMs - Date.parse(failing_since) >= STALE_STREAK_MS;
  return isMuch || isStale ? { ...forgetStreak(circuit), failed_keys: [] } : circuit;
}

/** Drains, so that a window bounds what is under way. */
export function crowd(circuit: In<'closed'>, _: InputOf<'crowded'>, { nowMs, policy }: Context): Circuit {
  return { ...drain(circuit, nowMs, policy), cause: 'crowded' };
}
