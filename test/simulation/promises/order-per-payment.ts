import { isFinal } from '../../../functions/core/message/outcome.ts';
import type { Received } from '../people/receivers.ts';
import type { World } from '../world.ts';
import { type Check, type Expected, type Line, nameOf } from './evidence/backlog.ts';

/** No message is attempted before each earlier one of its ordering key is delivered or final. */
export const orderPerPayment: Check = (world, lines) =>
  lines.flatMap((backlog) =>
    backlog.messages.flatMap((message, index) =>
      message.requests.flatMap((request) =>
        backlog.messages
          .slice(0, index)
          .filter((earlier) => isOrdered(earlier, message, backlog) && !isOver(earlier, request, world))
          .filter((earlier) => earlier.isSteadilyWanted || !isMatchedTwice(earlier, world))
          .map(
            ({ eventId }) =>
              `${nameOf(message, backlog)} was attempted (${request.attempt}) before ${eventId} was over`,
          ),
      ),
    ),
  );

/**
 * An event without a number has no order with numbered ones of a payment that comes through two doors: these
 * are forwarded to the door of its first event.
 */
function isOrdered(one: Expected, other: Expected, { doors }: Line): boolean {
  return doors.length === 1 || (one.sequence === undefined) === (other.sequence === undefined);
}

/** One worker may have found no route, before a filter was widened, and another one after that. */
function isMatchedTwice({ eventId }: Expected, { invocations }: World): boolean {
  const matches = invocations.filter(
    ({ name, records }) =>
      name.startsWith('match') && records.some(({ body }) => body.includes(`"event_id":"${eventId}"`)),
  );
  return matches.length > 1;
}

/** Whether a message was final when a request was made: its worker may know before the record does. */
function isOver(
  { requests, writes, expiresAtMs, admittedAtMs }: Expected,
  { startedAtMs, workersTimeMs }: Received,
  { policy, plan }: World,
): boolean {
  const hasExpired = expiresAtMs !== undefined && workersTimeMs >= expiresAtMs;
  const behindMs = plan.clockBehindMs + plan.clocksDifferMs;
  return (
    hasExpired ||
    writes.some(({ atMs, record }) => record !== undefined && isFinal(record) && atMs <= startedAtMs) ||
    requests.some(
      ({ heardAtMs = Number.POSITIVE_INFINITY, heardSuccess, heard }) =>
        heardAtMs <= startedAtMs &&
        (heardSuccess ||
          heard?.response_headers?.['webhook-delivery'] === 'abort-message' ||
          heardAtMs - behindMs - admittedAtMs >= policy.totalAgeMs - plan.clocksDifferMs),
    )
  );
}
