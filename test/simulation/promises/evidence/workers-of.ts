import type { Received } from '../../people/receivers.ts';
import type { Invocation } from '../../workers/invocation.ts';
import type { World } from '../../world.ts';

const indexes = new WeakMap<World, ReadonlyMap<string, readonly Invocation[]>>();

/** The workers of `deliver` that had records of an ordering key, in the order of their start. */
export function workersOf(world: World, key: string): readonly Invocation[] {
  let index = indexes.get(world);
  if (index === undefined) {
    const all = new Map<string, Invocation[]>();
    for (const invocation of world.invocations.filter(({ name }) => name.startsWith('deliver'))) {
      for (const group of new Set(invocation.records.map(({ group }) => group))) {
        const known = all.get(group);
        if (known === undefined) {
          all.set(group, [invocation]);
        } else {
          known.push(invocation);
        }
      }
    }
    index = all;
    indexes.set(world, index);
  }
  return index.get(key) ?? [];
}

/**
 * Whether another worker had the same ordering key meanwhile, because one started late or froze, or its write
 * took effect late: one is refused.
 */
export function isOverlapped(
  { invocation, key }: Pick<Received, 'invocation' | 'key'>,
  world: World,
): boolean {
  return workersOf(world, key).some(
    (other) =>
      other !== invocation &&
      other.receivedAtMs <= (invocation.endedAtMs ?? world.endedAtMs) &&
      Math.max(other.endedAtMs ?? world.endedAtMs, other.straggledAtMs) >= invocation.receivedAtMs,
  );
}

/**
 * Whether a failure may have kept a worker from recording what it sent: one that hit its writes after that,
 * or took its time. Failures of other messages do not count.
 */
export function mayBeUnrecorded(request: Received, messageId: string, world: World): boolean {
  const { invocation, key, startedAtMs } = request;
  return (
    invocation.ending === 'crashed' ||
    invocation.ending === 'timed_out' ||
    invocation.met.some(
      ({ fault, port, atMs, name }) =>
        atMs >= startedAtMs &&
        (fault === 'stall' ||
          fault === 'freeze' ||
          ((port === 'save' || port === 'commit') &&
            (name === undefined || name === key || name === messageId))),
    ) ||
    isOverlapped(request, world)
  );
}
