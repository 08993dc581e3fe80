import { isFinal } from '../../../functions/core/message/outcome.ts';
import type { Received } from '../people/receivers.ts';
import type { Invocation } from '../workers/invocation.ts';
import { type Check, type Expected, isAskedBetween, nameOf, recordedOf } from './evidence/backlog.ts';
import { mayBeUnrecorded } from './evidence/workers-of.ts';

/** How long a worker tries to record what it has sent. */
const WRITING_TIME_MS = 54_000;
/** The largest difference between two workers' clocks. */
const TOLERANCE_MS = 1_000;

/**
 * After a success, a message is attempted again only if an injected failure kept the worker from recording
 * it, or if it was requested again; after a failure, not before it is due, unless its next attempt was asked
 * for. No worker fails or times out without an injected failure.
 */
export const repeatsExplained: Check = (world, lines) => [
  ...lines.flatMap((backlog) =>
    backlog.messages.flatMap((message) =>
      message.requests.flatMap((again, index) => {
        const name = nameOf(message, backlog);
        const broken: string[] = [];
        for (const earlier of message.requests.slice(0, index)) {
          if (isAskedBetween(message, earlier.startedAtMs, again.startedAtMs)) {
            continue;
          }
          if (hasReadBefore(again, earlier, message)) {
            continue;
          }
          const isUnrecorded = recordedOf(earlier, message).length === 0;
          if (isUnrecorded ? !mayBeUnrecorded(earlier, message.messageId, world) : earlier.heardSuccess) {
            broken.push(
              `${name} was attempted again after ${earlier.invocation.name} had received and recorded a success`,
            );
          }
        }
        const known = message.writes.filter(
          ({ atMs, record }) => record !== undefined && atMs < again.invocation.startedAtMs,
        );
        const latest = known.at(-1);
        if (
          latest?.record !== undefined &&
          isFinal(latest.record) &&
          !isAskedBetween(message, latest.atMs, again.startedAtMs)
        ) {
          broken.push(`${name} was attempted again, though its end was on record`);
        }
        const dueAtMs = Date.parse(latest?.record?.next_attempt_at ?? '');
        const isHurried = world.hurried.some(
          ({ messageId, atMs, afterAttempt }) =>
            messageId === message.messageId &&
            atMs <= again.startedAtMs &&
            afterAttempt === latest?.record?.attempt_count,
        );
        if (!isHurried && again.workersTimeMs < dueAtMs - TOLERANCE_MS - world.plan.clocksDifferMs) {
          broken.push(`${name} was attempted ${dueAtMs - again.workersTimeMs} ms before it was due`);
        }
        return broken;
      }),
    ),
  ),
  ...world.invocations.flatMap((invocation) => unexcused(invocation, world.receivers.log)),
];

function unexcused(invocation: Invocation, log: readonly Received[]): string[] {
  const { name, ending, endedAtMs = 0, startedAtMs, error } = invocation;
  const broken: string[] = [];
  if (ending === 'failed') {
    const hasSent = log.some((received) => received.invocation === invocation);
    if (hasSent && endedAtMs - startedAtMs < WRITING_TIME_MS) {
      broken.push(`${name} gave up recording what it had sent after ${endedAtMs - startedAtMs} ms`);
    }
  }
  if (ending === 'timed_out' && hasNoTime(invocation, log)) {
    broken.push(`${name} started an attempt without time for it`);
  }
  if (!isExcused(invocation)) {
    broken.push(`${name} ${ending ?? 'never ended'} without an injected failure: ${error ?? ''}`);
  }
  return broken;
}

/**
 * The second of two workers on a payment, late or frozen, read before the first one wrote: its write is
 * refused.
 */
function hasReadBefore(again: Received, earlier: Received, { writes }: Expected): boolean {
  const heardAtMs = earlier.heardAtMs ?? Number.POSITIVE_INFINITY;
  const written = writes.find(({ atMs, record }) => record !== undefined && atMs >= heardAtMs);
  return (
    again.invocation !== earlier.invocation &&
    again.invocation.startedAtMs < (written?.atMs ?? Number.POSITIVE_INFINITY)
  );
}

/** A worker checks the time before each attempt: only a stall after that may take it beyond its timeout. */
function hasNoTime(invocation: Invocation, log: readonly Received[]): boolean {
  return log.some(
    (request) =>
      request.invocation === invocation &&
      request.heardAtMs === undefined &&
      !invocation.hasMet(['freeze'], request.startedAtMs),
  );
}

function isExcused(invocation: Invocation): boolean {
  const { ending } = invocation;
  switch (ending) {
    case 'ended':
      return true;
    case 'failed':
      return invocation.hasMet(['reject', 'partial', 'outage']);
    case 'crashed':
      return invocation.hasMet(['crash']);
    case 'timed_out':
      return invocation.hasMet(['stall', 'freeze']);
    default:
      return false;
  }
}
