import { isFinal } from '../../../functions/core/message/outcome.ts';
import type { Written } from '../aws/tables/history-table.ts';
import type { World } from '../world.ts';
import { writesOf } from './circuits/circuits-of.ts';
import { type Check, type Expected, type Line, nameOf } from './evidence/backlog.ts';
import { saturatedMs } from './evidence/saturation.ts';
import { allowanceMs } from './evidence/touches.ts';

/** How soon after its maximum age a message behind an open circuit ends. */
const ENDED_WITHIN_MS = 5 * 60_000;
/** Messages of one payment end one after another, ten at a time. */
const EACH_MS = 1_000;
/** A circuit timer and its signal are on their way for some seconds. */
const WAY_MS = 5_000;

/**
 * Messages that are too old end even behind an open circuit. `ended-for-a-reason` checks that none ends
 * sooner.
 */
export const endedInTime: Check = (world, lines) =>
  lines.flatMap((backlog) =>
    backlog.messages.flatMap((message) => {
      const overdueMs = lateBy(message, backlog, world);
      return overdueMs > 0
        ? [`${nameOf(message, backlog)} ended ${overdueMs} ms later than its age allows`]
        : [];
    }),
  );

function lateBy(message: Expected, backlog: Line, world: World): number {
  const { policy, plan, endedAtMs } = world;
  const { writes, asks } = message;
  const { subscription_id } = backlog.subscription;
  const sinceMs = asks.at(-1) ?? message.admittedAtMs;
  const ageMs = sinceMs + policy.totalAgeMs + plan.clockBehindMs + plan.clocksDifferMs;
  const atAge = writes.findLast(({ atMs, record }) => record !== undefined && atMs <= ageMs);
  if (atAge?.record === undefined || isFinal(atAge.record) || !isInBacklog(atAge)) {
    return 0;
  }
  const next = writes.find(({ atMs, record }) => record !== undefined && atMs > ageMs);
  const nextMs = Math.min(
    next?.atMs ?? endedAtMs,
    ...message.requests.filter(({ begunAtMs }) => begunAtMs > ageMs).map(({ begunAtMs }) => begunAtMs),
  );
  if (!isOpenBetween(subscription_id, ageMs, nextMs, world)) {
    return 0;
  }
  const excusedMs =
    allowanceMs(world, [backlog.key, subscription_id], ageMs, nextMs) +
    saturatedMs(world, ageMs, nextMs) +
    EACH_MS * backlog.messages.length +
    WAY_MS;
  return nextMs - ageMs - ENDED_WITHIN_MS - plan.lagMs - excusedMs;
}

/** A message behind an earlier one ends when that one has. */
function isInBacklog({ record }: Written): boolean {
  return record?.state === 'parked' && record.state_reason === 'circuit_open';
}

function isOpenBetween(subscriptionId: string, fromMs: number, untilMs: number, world: World): boolean {
  const writes = writesOf(subscriptionId, world);
  const first = writes.findLast(({ atMs }) => atMs <= fromMs);
  return (
    [
      ...(first === undefined ? [] : [first]),
      ...writes.filter(({ atMs }) => atMs > fromMs && atMs <= untilMs),
    ].every(({ after }) => after.state === 'active' && ['open', 'half_open'].includes(after.circuit.state)) &&
    first !== undefined
  );
}
