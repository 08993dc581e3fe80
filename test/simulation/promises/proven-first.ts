import { isTroubledForEver } from '../people/healing.ts';
import type { World } from '../world.ts';
import type { Check } from './evidence/backlog.ts';

/**
 * Where endpoints have to prove themselves: no host gets an event before it has repeated a challenge, every
 * challenge has an end on record, and an endpoint that is well is proven in the end.
 */
export const provenFirst: Check = (world) =>
  world.plan.proof === undefined ? [] : [...early(world), ...unended(world), ...unproven(world)];

function early({ receivers }: World): string[] {
  const provenAtMs = new Map<string, number>();
  for (const { url, echoed, heardAtMs } of receivers.pings) {
    if (echoed && heardAtMs !== undefined) {
      provenAtMs.set(url, Math.min(heardAtMs, provenAtMs.get(url) ?? heardAtMs));
    }
  }
  return receivers.log
    .filter(({ url, begunAtMs }) => begunAtMs < (provenAtMs.get(url) ?? Number.POSITIVE_INFINITY))
    .map(({ messageId, url }) => `${messageId} was sent to ${url}, which had not repeated a challenge`);
}

function unended({ history }: World): string[] {
  return [...history.records.values()]
    .filter(({ event_type, ended_at }) => event_type === 'challenge' && ended_at === undefined)
    .map(({ message_id, state }) => `the challenge ${message_id} is still ${state}`);
}

function unproven({ subscriptions, plan }: World): string[] {
  return subscriptions
    .filter(({ state }, index) => state === 'unproven' && !isTroubledForEver(plan.subscriptions[index]!))
    .map(({ subscription_id }) => `${subscription_id} is still unproven, though its endpoint is well`);
}
