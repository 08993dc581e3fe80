import type { BlockedKey } from './blocked-ordering-key.ts';
import type { SignalKind } from './signal.ts';

/** Clocks of two machines may differ by so much. What is due this soon does not wait for sweep. */
const TOLERANCE_MS = 1_000;

/**
 * Whether a signal finds anything to do. One that does not is ignored: the ordering key has a timer, or an
 * operator.
 *
 * @param isOrphan its subscription is gone: no operator is needed to cancel what waits
 */
export function isDue(key: BlockedKey, signalKind: SignalKind, nowMs: number, isOrphan = false): boolean {
  const isOperators = signalKind === 'release' || signalKind === 'skip';
  switch (key.state) {
    case 'waiting':
      return !isOperators && Date.parse(key.due_at) <= nowMs + TOLERANCE_MS;
    case 'in_line':
      return !isOperators;
    case 'fault':
      return isOperators || isOrphan;
  }
}
