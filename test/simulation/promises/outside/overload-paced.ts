import type { SubscriptionPlan } from '../../plans/subscription-plan.ts';
import type { World } from '../../world.ts';
import type { Check } from '../evidence/backlog.ts';
import { type Owed, type Untouched, untouchedOf } from './owed.ts';

/**
 * Requests for each message that an endpoint with a rate of its own gets at most, on average. Those begun before
 * its first refusal was heard are not counted: nobody could know.
 */
const REQUESTS_EACH = 2;
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
  const refusedAtMs = heard.find(({ taken }) => !taken)?.heardAtMs ?? Number.POSITIVE_INFINITY;
  const requests = sent
    .flatMap((one) => one.requests)
    .filter(({ begunAtMs }) => begunAtMs > refusedAtMs).length;
  return sent.length >= MANY && requests > REQUESTS_EACH * sent.length
    ? [
        `${subscriptionId} got ${requests} requests for ${sent.length} messages since its first refusal, and has a rate of its own`,
      ]
    : [];
}
