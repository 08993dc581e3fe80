import type { Attempt } from '../../../functions/core/attempt.ts';
import type { Received } from '../receivers.ts';
import type { World } from '../world.ts';
import { type Check, type Expected, nameOf } from './line.ts';

/** Each attempt whose worker lived to record it is on record once, as it was; the message's own record agrees with them. */
export const attemptsOnRecord: Check = (world, lines) =>
  lines.flatMap((line) =>
    line.messages.flatMap((message) =>
      faultsOf(message, world, line.subscription.subscription_id).map(
        (what) => `${nameOf(message, line)}: ${what}`,
      ),
    ),
  );

function faultsOf(message: Expected, world: World, subscriptionId: string): string[] {
  const broken: string[] = [];
  const record = world.history.records.get(message.messageId);
  const attempts = world.history
    .attemptsOf(message.messageId)
    .sort((one, other) => one.attempt - other.attempt);
  if (record === undefined) {
    return ['is not on record'];
  }
  if (record.state !== 'succeeded') {
    broken.push(`ended as ${record.state}`);
  }
  if (Date.parse(record.admitted_at) !== message.admittedAtMs) {
    broken.push(`on record as admitted at ${record.admitted_at}`);
  }

  for (const request of message.requests) {
    const kept = attempts.filter((attempt) => isOf(attempt, request));
    if (kept.length !== 1 && request.invocation.ending === 'ended') {
      broken.push(
        `attempt ${request.attempt} of ${request.invocation.name} is on record ${kept.length} times`,
      );
    }
  }
  for (const attempt of attempts) {
    const request = message.requests.find((one) => isOf(attempt, one));
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
  if (
    first?.attempt === 1 &&
    record.time_to_send_ms !== Date.parse(first.started_at) - message.admittedAtMs
  ) {
    broken.push(`time to send is on record as ${record.time_to_send_ms} ms`);
  }
  broken.push(...markFaults(message, attempts, world, subscriptionId), ...lateWrites(message, world));
  return broken;
}

/** Whether the message's record was written and the attempt's own item was not: the adapter gave up in between. */
function wasHalfWritten(number: number, { requests }: Expected): boolean {
  return requests.some(({ attempt, invocation }) => attempt === number && invocation.met.has('partial'));
}

/** The record that follows a worker's death says that an earlier attempt may be missing; where nothing went wrong, none does. */
function markFaults(
  message: Expected,
  attempts: readonly Attempt[],
  world: World,
  subscriptionId: string,
): string[] {
  const index = world.subscriptions.findIndex(({ subscription_id }) => subscription_id === subscriptionId);
  if (world.plan.faults.untilMs === 0 && world.plan.subscriptions[index]?.secretlessUntilMs === 0) {
    return attempts.some((attempt) => attempt.earlier_may_be_missing)
      ? ['an attempt is said to be missing, and none is']
      : [];
  }
  const broken: string[] = [];
  let unseen: Received | undefined;
  for (const request of message.requests) {
    const kept = attempts.find((attempt) => isOf(attempt, request));
    if (kept === undefined) {
      // Where the message was written and its attempt was not, the mark is lost with it and the next worker sees no gap.
      unseen = request.invocation.met.has('partial') ? undefined : (unseen ?? request);
      continue;
    }
    if (unseen !== undefined && !kept.earlier_may_be_missing && !wasParked(message, world, kept)) {
      broken.push(`nothing says that the attempt of ${unseen.invocation.name} is missing`);
    }
    unseen = undefined;
  }
  return broken;
}

/** Of a message that was parked before its first recorded attempt, the history cannot tell a death from a wait. */
function wasParked({ messageId }: Expected, { history }: World, kept: Attempt): boolean {
  const firstWrite = history.writes.find((write) => write.messageId === messageId);
  return kept.attempt === 1 && firstWrite?.record?.state === 'parked';
}

/** What is final stays as it is. */
function lateWrites({ messageId }: Expected, { history }: World): string[] {
  const states = history.writes.flatMap((write) =>
    write.messageId === messageId && write.record !== undefined ? [write.record.state] : [],
  );
  const final = states.indexOf('succeeded');
  return final >= 0 && states.slice(final).some((state) => state !== 'succeeded')
    ? [`went ${states.join(', ')}`]
    : [];
}

function isOf(attempt: Attempt, request: Received): boolean {
  return attempt.attempt === request.attempt && Date.parse(attempt.started_at) === request.workersTimeMs;
}
