import type { Received } from '../../people/receivers.ts';
import type { SubscriptionPlan } from '../../plans/subscription-plan.ts';
import type { World } from '../../world.ts';
import type { Check } from '../evidence/backlog.ts';
import { type Owed, type Untouched, untouchedOf } from './owed.ts';

/**
 * Requests for each message that an endpoint with a rate of its own gets at most, on average, and as many again
 * for one that it took again, as in a recovery. Those begun before a refusal was heard, or long after, are not
 * counted: nobody could know.
 */
const REQUESTS_EACH = 2;
const KNOWN_MS = 60_000;
/** With fewer messages, an average means nothing. */
const MANY = 30;

/**
 * An endpoint that only says that it has enough for now gets everything in the end, without being asked for
 * each message again and again: a refusal for overload uses up no message's schedule, only its age.
 */
export const overloadPaced: Check = (world) =>
  untouchedOf(world)
    .filter(({ plan }) => isOnlyLimited(plan))
    .flatMap((subscription) => [...givenUp(subscription, world), ...pestered(subscription)]);

/** And answers in time. */
function isOnlyLimited({ receiver: { troubles, latencyMs }, timeoutMs }: SubscriptionPlan): boolean {
  return troubles.length === 1 && troubles[0]!.kind === 'limited' && latencyMs[1] < timeoutMs;
}

function givenUp({ subscriptionId, owed }: Untouched, { policy }: World): string[] {
  return owed
    .filter(({ event, requests }) => {
      const last = requests.at(-1);
      return (
        event.expiresAtMs === undefined &&
        last?.heardAtMs !== undefined &&
        last.invocation.met.length === 0 &&
        !requests.some(({ taken }) => taken) &&
        last.heardAtMs - event.atMs < policy.totalAgeMs
      );
    })
    .map(
      ({ event, requests }) =>
        `${event.eventId} for ${subscriptionId} was given up after ${requests.length} refusals for overload`,
    );
}

function pestered({ subscriptionId, owed, heard }: Untouched): string[] {
  const sent = owed.filter(({ requests }: Owed) => requests.length > 0);
  const refusedAtMs = heard.filter(({ taken }) => !taken).map(({ heardAtMs = 0 }) => heardAtMs);
  const isKnown = ({ begunAtMs }: Received) =>
    refusedAtMs.some((ms) => ms < begunAtMs && begunAtMs <= ms + KNOWN_MS);
  const requests = sent.flatMap((one) => one.requests).filter(isKnown).length;
  const deliveries = sent.reduce(
    (sum, one) => sum + Math.max(1, one.requests.filter(({ taken }) => taken).length),
    0,
  );
  return sent.length >= MANY && requests > REQUESTS_EACH * deliveries
    ? [
        `${subscriptionId} got ${requests} requests for ${deliveries} deliveries of ${sent.length} messages after refusals, and has a rate of its own`,
      ]
    : [];
}
