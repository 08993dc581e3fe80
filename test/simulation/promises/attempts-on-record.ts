import type { Attempt } from '../../../functions/core/attempt/attempt.ts';
import { isFinal } from '../../../functions/core/message/outcome.ts';
import type { Received } from '../people/receivers.ts';
import type { Invocation } from '../workers/invocation.ts';
import type { World } from '../world.ts';
import {
  type Check,
  type Expected,
  isOverwritten,
  type Line,
  nameOf,
  recordedOf,
} from './evidence/backlog.ts';
import { isOverlapped, mayBeUnrecorded, workersOf } from './evidence/workers-of.ts';

/**
 * Each attempt whose worker lived to record it is on record once, correctly, and the message's record agrees.
 */
export const attemptsOnRecord: Check = (world, lines) =>
  lines.flatMap((backlog) =>
    backlog.messages
      .filter((message) => !isOverwritten(message))
      .flatMap((message) =>
        faultsOf(message, world, backlog).map((what) => `${nameOf(message, backlog)}: ${what}`),
      ),
  );

function faultsOf(message: Expected, world: World, backlog: Line): string[] {
  const { record, attempts } = message;
  if (record === undefined) {
    // Another promise reports it.
    return [];
  }
  const broken: string[] = [];
  if (Date.parse(record.admitted_at) !== message.admittedAtMs) {
    broken.push(`on record as admitted at ${record.admitted_at}`);
  }
  for (const request of message.requests) {
    const count = recordedOf(request, message).length;
    if (count > 1 || (count === 0 && !mayBeUnrecorded(request, message.messageId, world))) {
      broken.push(`attempt ${request.attempt} of ${request.invocation.name} is on record ${count} times`);
    }
  }
  for (const attempt of attempts) {
    const request = message.requests.find((one) => recordedOf(one, { attempts: [attempt] }).length > 0);
    if (request === undefined) {
      broken.push(`attempt ${attempt.attempt} is on record and was never made`);
    } else if (request.heardSuccess !== (attempt.failure_class === undefined)) {
      broken.push(`attempt ${attempt.attempt} is on record with another outcome`);
    }
  }
  for (let number = 1; number <= record.attempt_count; number += 1) {
    if (!attempts.some(({ attempt }) => attempt === number) && !wasHalfWritten(number, message)) {
      broken.push(`attempt ${number} of ${record.attempt_count} is missing`);
    }
  }
  const first = attempts[0];
  // A message that had ended without an attempt and was requested again has no time to send.
  if (first?.attempt === 1 && !first.late) {
    const { time_to_send_ms = Number.NaN, held_ms = 0 } = record;
    if (time_to_send_ms + held_ms !== Date.parse(first.started_at) - message.admittedAtMs) {
      broken.push(`time to send is on record as ${time_to_send_ms} ms, held ${held_ms} ms`);
    }
  }
  return [...broken, ...markFaults(message, world, backlog), ...lateWrites(message)];
}

/** Whether the message's record was written but not the attempt's item: the adapter gave up in between. */
function wasHalfWritten(number: number, { requests, messageId }: Expected): boolean {
  return requests.some(
    ({ attempt, invocation }) => attempt === number && isHalfWrittenBy(invocation, messageId),
  );
}

function isHalfWrittenBy({ met }: Invocation, messageId: string): boolean {
  return met.some(({ fault, name }) => fault === 'partial' && name === messageId);
}

/** After a worker's death, the next record says that an attempt may be missing. Without one, none says so. */
function markFaults(message: Expected, world: World, backlog: Line): string[] {
  // A record that is received again tells its worker nothing about the worker before.
  const mayBe = workersOf(world, backlog.key).some(({ records }) =>
    records.some(({ group, receiveCount }) => group === backlog.key && receiveCount > 1),
  );
  if (!mayBe) {
    return message.attempts.some((attempt) => attempt.earlier_may_be_missing)
      ? ['an attempt is said to be missing, but none is']
      : [];
  }
  const broken: string[] = [];
  let unseen: Received | undefined;
  for (const request of message.requests) {
    const kept: Attempt | undefined = recordedOf(request, message)[0];
    if (kept === undefined) {
      // If the message was written but not its attempt, the mark is lost and the next worker sees no gap.
      unseen = isHalfWrittenBy(request.invocation, message.messageId) ? undefined : (unseen ?? request);
      continue;
    }
    // A worker that lost the optimistic lock has left no trace.
    if (unseen !== undefined && !kept.earlier_may_be_missing && !isOverlapped(unseen, world)) {
      broken.push(`nothing says that the attempt of ${unseen.invocation.name} is missing`);
    }
    unseen = undefined;
  }
  return broken;
}

/** A final message stays as it is until it is requested again: then it waits first. */
function lateWrites({ writes }: Expected): string[] {
  const records = writes.flatMap(({ record }) => (record === undefined ? [] : [record]));
  const isOdd = records.some((record, index) => {
    const before = records[index - 1];
    const isAsked = record.state === 'parked' && record.late && record.ended_at === undefined;
    return before !== undefined && isFinal(before) && !isFinal(record) && !isAsked;
  });
  return isOdd ? [`went ${records.map(({ state }) => state).join(', ')}`] : [];
}
