import type { DeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';
import type { MessageRecord } from '../../../functions/core/message/history.ts';
import type { Received } from '../people/receivers.ts';
import type { Invocation } from '../workers/invocation.ts';
import type { World } from '../world.ts';
import {
  type Check,
  type Expected,
  isAskedBetween,
  type Line,
  nameOf,
  recordedOf,
} from './evidence/backlog.ts';
import { isOverlapped, workersOf } from './evidence/workers-of.ts';

/** How long a worker tries to write its decision. */
const LONGEST_WRITING_MS = 60_000;

/**
 * Each message without success ended for the reason on record. Expired and cancelled messages are not
 * attempted.
 */
export const endedForAReason: Check = (world, lines) =>
  lines.flatMap((backlog) =>
    backlog.messages.flatMap((message) => {
      const { record, requests, expiresAtMs = Number.POSITIVE_INFINITY } = message;
      const isAttemptedLate = requests.some(({ workersTimeMs }) => workersTimeMs >= expiresAtMs);
      const isGivenUp = requests.some((request) => {
        const next = requests.find((one) => knowsOf(request, one, message));
        return (
          request.heard?.response_headers?.['webhook-delivery'] === 'abort-message' &&
          recordedOf(request, message).length > 0 &&
          next !== undefined &&
          !isAskedBetween(message, request.startedAtMs, next.startedAtMs)
        );
      });
      const isCancelled = cancelledBy(message, backlog, world).some((worker) =>
        requests.some(
          ({ invocation, startedAtMs }) =>
            invocation.startedAtMs > (worker.endedAtMs ?? world.endedAtMs) &&
            !isAskedBetween(message, worker.startedAtMs, startedAtMs),
        ),
      );
      return [
        ...(isCancelled
          ? [`${nameOf(message, backlog)} was attempted after its partner had cancelled it`]
          : []),
        ...(isGivenUp ? [`${nameOf(message, backlog)} was attempted after its endpoint had aborted it`] : []),
        ...(record === undefined || hasReason(record, message, backlog, world)
          ? []
          : [`${nameOf(message, backlog)} is ${record.state}, ${record.state_reason}, and should not be`]),
        ...(isAttemptedLate ? [`${nameOf(message, backlog)} was attempted when it had expired`] : []),
      ];
    }),
  );

/** Whether the worker that sent again could know an earlier response: its own, or on record when it began. */
function knowsOf(before: Received, after: Received, { writes }: Expected): boolean {
  const { heardAtMs = Number.POSITIVE_INFINITY, invocation } = before;
  const recordedAtMs = writes.find(({ atMs }) => atMs >= heardAtMs)?.atMs ?? Number.POSITIVE_INFINITY;
  return after.invocation === invocation
    ? after.startedAtMs > heardAtMs
    : after.invocation.startedAtMs > recordedAtMs;
}

function hasReason(record: MessageRecord, message: Expected, backlog: Line, world: World): boolean {
  const { policy, tables } = world;
  const { subscription_id } = backlog.subscription;
  const { state, state_reason: reason } = record;
  const last = message.attempts.at(-1);
  const endedAtMs = Date.parse(record.ended_at ?? '');
  if (state === 'succeeded') {
    return last !== undefined && last.failure_class === undefined;
  }
  switch (reason) {
    case 'schedule':
      return isUsedUp(message, backlog, policy);
    case 'age':
      return endedAtMs - sinceMs(message, world) >= policy.totalAgeMs;
    case 'aborted_by_receiver':
      return last?.status_code !== undefined && [400, 404, 422].includes(last.status_code);
    case 'deleted':
      return backlog.subscription.state === 'deleted';
    case 'expired':
      return message.expiresAtMs !== undefined && endedAtMs >= message.expiresAtMs;
    case 'skipped':
      // Only an operator skips, and only after an internal error.
      return message.writes.some(({ record }) => record?.state_reason === 'fault');
    case 'cancelled_by_partner':
      return workersOf(world, backlog.key).some((worker) => isToCancel(message, worker));
    case 'disabled':
      return tables.subscriptions.writes.some(
        ({ subscriptionId, after }) =>
          subscriptionId === subscription_id &&
          after.disabled_at !== undefined &&
          endedAtMs - Date.parse(after.disabled_at) >= policy.keptWhileDisabledMs,
      );
    default:
      // Not final: another promise reports it.
      return true;
  }
}

/** Workers that nothing kept from cancelling a message, as they were told. */
function cancelledBy(message: Expected, { key }: Line, world: World): Invocation[] {
  return workersOf(world, key).filter(
    (worker) =>
      isToCancel(message, worker) &&
      worker.ending === 'ended' &&
      worker.met.length === 0 &&
      !isOverlapped({ invocation: worker, key }, world),
  );
}

function isToCancel({ messageId }: Expected, { records }: Invocation): boolean {
  return records.some(({ body }) => body.includes('"signal_kind":"cancel"') && body.includes(messageId));
}

/**
 * The earliest start of its age. A request for it counts by the worker's clock, some time before the write.
 */
function sinceMs({ admittedAtMs, asks }: Expected, { plan }: World): number {
  const askedMs = asks.at(-1);
  return askedMs === undefined
    ? admittedAtMs
    : askedMs - plan.clockBehindMs - plan.clocksDifferMs - LONGEST_WRITING_MS;
}

/**
 * One more failure than the schedule has delays. Probes and failures of a disabled subscription do not count.
 */
function isUsedUp(
  { attempts, writes, asks }: Expected,
  { plan }: Line,
  { schedules }: DeliveryPolicy,
): boolean {
  const retried = new Set(
    writes.flatMap(({ atMs, record }) =>
      record?.state === 'retrying' && atMs >= (asks.at(-1) ?? 0) ? [record.attempt_count] : [],
    ),
  );
  const last = attempts.at(-1);
  return last !== undefined && !last.probe && retried.size === schedules[plan.schedule].length;
}
