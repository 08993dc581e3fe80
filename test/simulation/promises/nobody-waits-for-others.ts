import { messageId } from '../../../functions/core/message/message.ts';
import type { World } from '../world.ts';
import { isAlwaysClosedBetween } from './circuits/circuits-of.ts';
import { type Check, type Expected, hasLetPass, type Line, nameOf } from './evidence/backlog.ts';
import { saturatedMs } from './evidence/saturation.ts';
import { allowanceMs, foundAfterMs } from './evidence/touches.ts';

/** What the way takes: polls, port calls, the batch before it in its shard, and the 250 ms of the early release. */
const WAY_MS = 1_000;
/** A timer goes off with the full second, and has its own way. */
const TIMER_MS = 2_500;
/** Sweep comes each minute, and a timer of its making once more. */
const SWEEP_MS = 65_000;
/** Clocks of two workers may differ by so much before a timer comes too early for one of them. */
const TOLERATED_MS = 1_000;

/**
 * Whoever's circuit is closed waits for nobody else's endpoint and for nobody else's fault, and a failed attempt is made again in time. What excuses a message
 * are faults that touched its own payment, and times in which no worker was left.
 */
export const nobodyWaitsForOthers: Check = (world, lines) =>
  lines.flatMap((backlog) => [...lateFirsts(backlog, world), ...lateAgain(backlog, world)]);

/** From admission, or from the end of the message before it in its line. */
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
      // What comes while a late message waits is held up by that; a limit holds up all.
      firstAskMs < firstAtMs ||
      isLimitedBetween(subscription_id, fromMs, firstAtMs, world) ||
      message.writes.some(({ record }) => record?.state_reason === 'fault') ||
      !isAlwaysClosedBetween(subscription, message.admittedAtMs, firstAtMs, world)
    ) {
      return [];
    }
    const names = [key, subscription_id, backlog.shard];
    const excusedMs =
      allowanceMs(world, names, message.admittedAtMs, firstAtMs) +
      saturatedMs(world, fromMs, firstAtMs) +
      handoverMs(message, world.plan);
    return waitedMs > WAY_MS + excusedMs
      ? [`${nameOf(message, backlog)} waited ${waitedMs} ms for its first attempt`]
      : [];
  });
}

/** Who was parked goes on at a time by the clock of the worker before; to one whose clock is far behind that is still to come, and wants a timer. */
function handoverMs({ writes }: Expected, { clocksDifferMs }: World['plan']): number {
  const wasParked = writes.some(({ record }) => record?.state === 'parked');
  return wasParked && clocksDifferMs > TOLERATED_MS ? clocksDifferMs + TIMER_MS : 0;
}

/** Of the same payment, and sent though nobody owed it: its owner wanted it only later, or no more. */
function unowedOf(
  { subscription: { subscription_id }, paymentId, messages }: Line,
  { admitted, history }: World,
) {
  const owed = new Set(messages.map(({ messageId }) => messageId));
  return admitted
    .filter((event) => event.paymentId === paymentId)
    .map(({ eventId, atMs }) => ({ id: messageId(eventId, subscription_id, paymentId), admittedAtMs: atMs }))
    .filter(({ id }) => !owed.has(id))
    .map(({ id, admittedAtMs }) => ({ admittedAtMs, endedAtMs: endOf({ writes: history.writesOf(id) }) }));
}

/** When the message was over for its line. */
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
        hasLetPass(message, backlog, atMs, again.begunAtMs) ||
        isLimitedBetween(subscription.subscription_id, atMs, again.begunAtMs, world) ||
        !isAlwaysClosedBetween(subscription, atMs, again.begunAtMs, world)
      ) {
        return [];
      }
      const excusedMs =
        allowanceMs(world, [key, subscription.subscription_id], atMs, again.begunAtMs) +
        saturatedMs(world, atMs, again.begunAtMs);
      return lateMs > slackMs + excusedMs
        ? [`${nameOf(message, backlog)} was tried again ${lateMs} ms late`]
        : [];
    }),
  );
}
