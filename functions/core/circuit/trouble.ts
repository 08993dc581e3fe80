import { instant } from '../text/instant.ts';
import type { Circuit } from './circuit.ts';

/**
 * Remembers since when a circuit has not been closed, in one piece: from the first of the failures that opened it, through probes, drains and openings
 * again, until it closes. For people; nothing is decided by it.
 */
export function rememberTrouble(before: Circuit, after: Circuit, nowMs: number): Circuit {
  if (after.state === 'closed') {
    const { in_trouble_since, ...rest } = after;
    return in_trouble_since === undefined ? after : rest;
  }
  const in_trouble_since = before.in_trouble_since ?? beginning(before, after) ?? instant(nowMs);
  return { ...after, in_trouble_since };
}

/** Of one that an earlier version has opened the state it is in is all that is known. */
function beginning(before: Circuit, after: Circuit): string | undefined {
  return (
    before.failing_since ?? after.failing_since ?? (before.state === 'closed' ? undefined : before.since)
  );
}
