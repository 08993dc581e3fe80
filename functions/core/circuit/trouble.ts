import { instant } from '../text/instant.ts';
import type { Circuit } from './circuit.ts';

/**
 * Records when the current trouble began: at the first of the failures that opened the circuit, lasting
 * through probes, drains and further openings until it closes. For people; nothing is decided by it.
 */
export function rememberTrouble(before: Circuit, after: Circuit, nowMs: number): Circuit {
  if (after.state === 'closed') {
    const { in_trouble_since, ...rest } = after;
    return in_trouble_since === undefined ? after : rest;
  }
  const in_trouble_since = before.in_trouble_since ?? beginning(before, after) ?? instant(nowMs);
  return { ...after, in_trouble_since };
}

/** When an earlier version opened the circuit, only the start of its current state is known. */
function beginning(before: Circuit, after: Circuit): string | undefined {
  return (
    before.failing_since ?? after.failing_since ?? (before.state === 'closed' ? undefined : before.since)
  );
}
