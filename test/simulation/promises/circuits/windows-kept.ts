import type { EndpointHealthWrite } from '../../aws/tables/subscription-table.ts';
import type { Received } from '../../people/receivers.ts';
import type { World } from '../../world.ts';
import type { Check } from '../evidence/backlog.ts';
import { allowanceMs } from '../evidence/touches.ts';
import { writesOf } from './circuits-of.ts';

/** From a window to the signals that it allows. */
const WAY_MS = 5_000;
/**
 * How many windows may be under way while the index lags behind the looks of a timer: the head, and what two
 * timers, one just before the other, took from elsewhere.
 */
const UNSEEN = 3;

/** A drain never has more under way than its recent window, and no window exceeds the maximum. */
export const windowsKept: Check = (world) =>
  world.subscriptions.flatMap(({ subscription_id }) => [
    ...tooWide(subscription_id, world),
    ...overfull(subscription_id, world),
  ]);

function tooWide(subscriptionId: string, world: World): string[] {
  const { widestWindow } = world.policy.circuit;
  const windows = writesOf(subscriptionId, world).flatMap(({ after: { circuit } }) =>
    circuit.state === 'draining' ? [circuit.window] : [],
  );
  const widest = Math.max(0, ...windows);
  return [
    ...(widest > widestWindow ? [`${subscriptionId} has a window of ${widest}`] : []),
    ...writesOf(subscriptionId, world)
      .filter(isLeap(world))
      .slice(0, 1)
      .map(() => `${subscriptionId} has a window that more than doubles`),
  ];
}

/** A drain begins small, or with half its window from before a short outage. A timer at most doubles it. */
function isLeap({ policy }: World) {
  const { firstWindow, widestWindow } = policy.circuit;
  return ({ before, after }: EndpointHealthWrite): boolean => {
    if (after.circuit.state !== 'draining' || after.state === 'deleted') {
      return false;
    }
    return before.circuit.state === 'draining' && before.state === after.state
      ? after.circuit.window > Math.max(1, 2 * before.circuit.window)
      : after.circuit.window > Math.max(firstWindow, widestWindow / 2);
  };
}

function overfull(subscriptionId: string, world: World): string[] {
  if (world.plan.lagMs > WAY_MS) {
    // A timer sees what it has signalled once the index shows it.
    return [];
  }
  const writes = writesOf(subscriptionId, world);
  const drained = world.receivers.log.flatMap((request) => {
    const signalledAtMs = signalledAt(request);
    return request.subscriptionId === subscriptionId && signalledAtMs !== undefined
      ? [{ ...request, signalledAtMs }]
      : [];
  });
  const broken = drained.find(({ startedAtMs: atMs }) => {
    const underWay = drained.filter(
      (other) =>
        other.startedAtMs <= atMs &&
        (other.heardAtMs ?? other.invocation.endedAtMs ?? world.endedAtMs) > atMs,
    );
    // A signal may wait for its worker while the window shrinks.
    const since = Math.min(...underWay.map(({ signalledAtMs }) => signalledAtMs)) - WAY_MS;
    const states = [
      ...writes.filter((write) => write.atMs > since && write.atMs <= atMs),
      ...writes.filter((write) => write.atMs <= since).slice(-1),
    ].map(({ after }) => after.circuit);
    // Under a closed circuit the rest of the backlog is signalled without a window.
    if (states.length === 0 || states.some(({ state }) => state !== 'draining')) {
      return false;
    }
    // What a drain took from elsewhere than the head counts once the index shows it there.
    const unseen = world.plan.lagMs > world.policy.circuit.lookAgainMs ? UNSEEN : 1;
    const windows = states.map((circuit) => (circuit.state === 'draining' ? circuit.window : 0));
    const widest = unseen * Math.max(...windows);
    const keys = new Set(underWay.map(({ key }) => key));
    return keys.size > widest && allowanceMs(world, [...keys, subscriptionId], since, atMs) === 0;
  });
  return broken === undefined ? [] : [`${subscriptionId} has more under way than its window allows`];
}

/** When a drain asked for it. */
function signalledAt({ invocation: { records }, key }: Received): number | undefined {
  return records.find(({ group, body }) => group === key && body.includes('"signal_kind":"drain"'))?.sentAtMs;
}
