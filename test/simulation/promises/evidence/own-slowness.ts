import type { Received } from '../../people/receivers.ts';
import type { World } from '../../world.ts';

/** A deadline of which the worker missed a good part by its own fault tells its circuit nothing. */
export function mayBeOurs({ heard, deadlineMs }: Received, { plan: { lateHearingMs = 0 } }: World): boolean {
  return heard?.failure_class === 'timeout' && lateHearingMs > deadlineMs / 4;
}
