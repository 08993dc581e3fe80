import type { World } from '../world.ts';
import { isAlwaysClosedBetween } from './circuits/circuits-of.ts';
import {
  type Check,
  type Expected,
  hasLetPass,
  isAskedBetween,
  type Line,
  messageIdOf,
  nameOf,
} from './evidence/backlog.ts';
import { receivesMs, saturatedMs } from './evidence/saturation.ts';
import { allowanceMs, foundAfterMs } from './evidence/touches.ts';

/** Polls, port calls, the batch before it in its shard, and the 250 ms of the early release. */
const WAY_MS = 1_000;
/** A timer goes off at a full second, and takes its own time. */
const TIMER_MS = 2_500;
/** Sweep runs each minute, and its timer takes as long again. */
const SWEEP_MS = 65_000;
/** With a larger difference between two workers' clocks, a timer is too early for one of them. */
const TOLERATED_MS = 1_000;

/**
 * With a closed circuit, a message waits for no other endpoint and for no failure elsewhere, and retries are
 * on time. It is excused only by failures that touched its own payment, and by times without a free worker.
 */
export const nobodyWaitsForOthers: Check = (world, lines) =>
  lines.flatMap((backlog) => [...lateFirsts(backlog, world), ...lateAgain(backlog, world)]);

/** From intake, or from the end of the message before it. */
function lateFirsts(backlog: Line, world: World): string[] {
  const { subscription, key, messages } = backlog;
  const { subscription_id } = subscription;
  const unowed = unowedOf(backlog, world);
  let freeAtMs = 0;
  let firstAskMs = Number.POSITIVE_INFINITY;
  return messages.flatMap((message) => {
    const firstAtMs = message.requests[0]?.begunAtMs ?? 0;
    const before = unowed.filter(({ admittedAtMs }) => admittedAtMs <= message.admittedAtMs);
    const fromMs = Math.max(message.admittedAtMs, freeAtMs, ...before.map(({ endedAtMs }) => endedAtMs));
    freeAtMs = Math.max(freeAtMs, endOf(message));
    firstAskMs = Math.min(firstAskMs, ...message.asks);
    const waitedMs = firstAtMs - fromMs;
    if (
      waitedMs <= WAY_MS ||
      // A late message that waits holds up what comes after it; a rate limit holds up everything.
      firstAskMs < firstAtMs ||
      isLimitedBetween(subscription_id, fromMs, firstAtMs, world) ||
      message.writes.some(({ record }) => record?.state_reason === 'fault') ||
      !isAlwaysClosedBetween(subscription, message.admittedAtMs, firstAtMs, world)
    ) {
      return [];
    }
    const names = [key, subscription_id, ...backlog.doors];
    const excusedMs =
      allowanceMs(world, names, message.admittedAtMs, firstAtMs) +
      saturatedMs(world, fromMs, firstAtMs) +
      receivesMs(world) +
      handoverMs(message, world.plan);
    return waitedMs > WAY_MS + excusedMs
      ? [`${nameOf(message, backlog)} waited ${waitedMs} ms for its first attempt`]
      : [];
  });
}

/** A retry is due by the clock of the worker before: to a worker with a slow clock it is still to come. */
function handoverMs({ writes }: Expected, { clocksDifferMs }: World['plan']): number {
  const wasParked = writes.some(({ record }) => record?.state === 'parked');
  return wasParked && clocksDifferMs > TOLERATED_MS ? clocksDifferMs + TIMER_MS : 0;
}

/** Of the same payment, and sent though it was not owed: its partner wanted it only later, or no longer. */
function unowedOf(
  { subscription: { subscription_id, service_id }, paymentId, messages }: Line,
  { admitted, history }: World,
) {
  const owed = new Set(messages.map(({ messageId }) => messageId));
  return admitted
    .filter((event) => event.serviceId === service_id && event.paymentId === paymentId)
    .map((event) => ({ id: messageIdOf(event, subscription_id), admittedAtMs: event.atMs }))
    .filter(({ id }) => !owed.has(id))
    .map(({ id, admittedAtMs }) => ({ admittedAtMs, endedAtMs: endOf({ writes: history.writesOf(id) }) }));
}

/** When the message no longer held up those behind it. */
function endOf({ writes }: Pick<Expected, 'writes'>): number {
  return writes.at(-1)?.atMs ?? 0;
}

function isLimitedBetween(
  subscriptionId: string,
  fromMs: number,
  untilMs: number,
  { tables }: World,
): boolean {
  return [fromMs, untilMs].some(
    (ms) => tables.subscriptions.settingsAt(subscriptionId, ms).rate_limit !== undefined,
  );
}

function lateAgain(backlog: Line, world: World): string[] {
  const { subscription, key } = backlog;
  const { policy, plan } = world;
  return backlog.messages.flatMap((message) =>
    message.writes.flatMap(({ atMs, record }) => {
      const again = message.requests.find(({ attempt }) => attempt === (record?.attempt_count ?? 0) + 1);
      if (record?.state !== 'retrying' || again === undefined) {
        return [];
      }
      const dueAtMs = Date.parse(record.next_attempt_at ?? '');
      const lateMs = again.workersTimeMs - dueAtMs;
      const slackMs =
        (dueAtMs - atMs > policy.longestTimerMs ? SWEEP_MS : TIMER_MS) +
        (plan.clocksDifferMs > TOLERATED_MS ? foundAfterMs(world) : plan.clocksDifferMs);
      if (
        lateMs <= slackMs ||
        // It had ended before it was due.
        isAskedBetween(message, atMs, again.begunAtMs) ||
        hasLetPass(message, backlog, atMs, again.begunAtMs) ||
        isLimitedBetween(subscription.subscription_id, atMs, again.begunAtMs, world) ||
        !isAlwaysClosedBetween(subscription, atMs, again.begunAtMs, world)
      ) {
        return [];
      }
      const excusedMs =
        allowanceMs(world, [key, subscription.subscription_id], atMs, again.begunAtMs) +
        saturatedMs(world, atMs, again.begunAtMs) +
        receivesMs(world);
      return lateMs > slackMs + excusedMs
        ? [`${nameOf(message, backlog)} was tried again ${lateMs} ms late`]
        : [];
    }),
  );
}
