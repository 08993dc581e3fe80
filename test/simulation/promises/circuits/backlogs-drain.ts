import { isWellFrom } from '../../people/healing.ts';
import type { World } from '../../world.ts';
import type { Check, Expected, Line } from '../evidence/backlog.ts';
import { saturatedMs } from '../evidence/saturation.ts';
import { allowanceMs } from '../evidence/touches.ts';
import { writesOf } from './circuits-of.ts';

/**
 * Payments of a backlog attempted per second once the endpoint responds; fewer if it responds more slowly.
 */
const PAYMENTS_A_SECOND = 5;
/** Whole seconds of SQS, circuit timers, and the first steps of a window. */
const START_MS = 15_000;

/**
 * Once a probe finds an endpoint healthy, its backlog is attempted at five payments a second at least, or one
 * after another if each takes longer than that.
 */
export const backlogsShrink: Check = (world, lines) =>
  world.subscriptions.flatMap(({ subscription_id }, index) => {
    const { receiver, partnerActs, changes, secretlessUntilMs, rateLimit } = world.plan.subscriptions[index]!;
    // Its partner interferes, or has set another rate.
    if (partnerActs.length + changes.length > 0 || rateLimit !== undefined) {
      return [];
    }
    const wellMs = Math.max(0, secretlessUntilMs, ...receiver.troubles.map(({ untilMs }) => untilMs));
    const fromMs = world.startedAtMs + wellMs;
    if (!isWellFrom(receiver, wellMs) || fromMs >= world.endedAtMs) {
      return [];
    }
    const own = lines.filter((line) => line.subscription.subscription_id === subscription_id);
    return slowDrains(subscription_id, own, receiver.latencyMs[1], fromMs, world);
  });

function slowDrains(
  subscriptionId: string,
  own: readonly Line[],
  latencyMs: number,
  fromMs: number,
  world: World,
): string[] {
  // From the first success on it is known to be healthy.
  const first = world.receivers.log.find(
    (one) => one.subscriptionId === subscriptionId && one.begunAtMs >= fromMs && one.heardSuccess,
  );
  if (first?.heardAtMs === undefined || isHalted(subscriptionId, fromMs, world)) {
    return [];
  }
  const foundMs = first.heardAtMs;
  const waiting = own.flatMap((line) => {
    const heads = line.messages.filter((message) => isBackloggedAt(message, foundMs));
    return heads.length === 0 ? [] : [{ line, heads }];
  });
  const eachMs = Math.max(1_000 / PAYMENTS_A_SECOND, latencyMs);
  const drained = own.flatMap(({ messages }) => messages).filter((message) => isDrainedAt(message, foundMs));
  const inAll = drained.length;
  // A drain signals the payments it sees: one window of them each time that the index has caught up.
  const windows = Math.ceil(inAll / world.policy.circuit.firstWindow);
  const untilMs = foundMs + START_MS + inAll * eachMs + windows * world.plan.lagMs;
  return waiting.flatMap(({ line, heads }) => {
    const left = heads.filter((message) => !isOverBy(message, untilMs) && message.asks.length === 0);
    if (left.length === 0) {
      return [];
    }
    const lastMs = Math.max(
      ...left.map(
        (message) =>
          message.requests.find(({ begunAtMs }) => begunAtMs > foundMs)?.begunAtMs ??
          // Messages that have expired by then are not sent.
          message.writes.find(({ record }) => record?.ended_at !== undefined)?.atMs ??
          world.endedAtMs,
      ),
    );
    const names = [subscriptionId, ...own.map(({ key }) => key)];
    const excusedMs = allowanceMs(world, names, fromMs, lastMs) + saturatedMs(world, foundMs, lastMs);
    return lastMs > untilMs + excusedMs
      ? [
          `${left.length} messages of ${line.key} still waited ${lastMs - foundMs} ms after their endpoint was found healthy, with ${inAll} in the backlog`,
        ]
      : [];
  });
}

/** Not while an attempt is under way: it may have begun when the endpoint still hung. */
function isBackloggedAt(message: Expected, ms: number): boolean {
  const last = recordAt(message, ms);
  return (
    last?.record?.state_reason === 'circuit_open' &&
    !message.requests.some(({ begunAtMs }) => begunAtMs > last.atMs && begunAtMs <= ms)
  );
}

/** What a drain takes in its turn: also what it has refused for now, or tried in vain. */
function isDrainedAt(message: Expected, ms: number): boolean {
  const { state, state_reason } = recordAt(message, ms)?.record ?? {};
  return state === 'retrying' || state_reason === 'circuit_open' || state_reason === 'catching_up';
}

function recordAt({ writes }: Expected, ms: number) {
  return writes.findLast((write) => write.record !== undefined && write.atMs <= ms);
}

function isOverBy({ writes, requests }: Expected, ms: number): boolean {
  return (
    writes.some(({ atMs, record }) => atMs <= ms && record?.ended_at !== undefined) ||
    requests.some(({ begunAtMs, heardSuccess }) => begunAtMs <= ms && heardSuccess)
  );
}

function isHalted(subscriptionId: string, fromMs: number, world: World): boolean {
  const writes = writesOf(subscriptionId, world);
  const then = [writes.findLast(({ atMs }) => atMs <= fromMs), ...writes.filter(({ atMs }) => atMs > fromMs)];
  return then.some((write) => write !== undefined && write.after.state !== 'active');
}
