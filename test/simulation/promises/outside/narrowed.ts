import { FILTERS, MEMBERS_WITH_FIELDS } from '../../people/narrowing.ts';
import type { Admitted } from '../../people/publications.ts';
import type { SubscriptionPlan } from '../../plans/subscription-plan.ts';
import type { World } from '../../world.ts';
import { type Check, matchedByMs } from '../evidence/backlog.ts';

/**
 * Each request is for an event that a filter takes which its subscription had when `match` may have looked, and
 * its body has the fields of then. Judged by what partners did and endpoints saw.
 */
export const narrowed: Check = (world) => {
  const events = new Map(world.admitted.map((event) => [`${event.serviceId} ${event.eventId}`, event]));
  return world.receivers.log.flatMap(({ subscriptionId, eventId, messageId, members }) => {
    const index = Number(subscriptionId.slice('sub_'.length));
    const { service_id } = world.subscriptions[index]!;
    const event = events.get(`${service_id} ${eventId}`);
    if (event === undefined) {
      return [];
    }
    const own = world.plan.subscriptions[index]!;
    const isCut = members === MEMBERS_WITH_FIELDS;
    return [
      ...(takenBy(own, event, world) === 'never'
        ? [`${subscriptionId} was sent ${eventId}, which its filter refuses`]
        : []),
      ...(cutBy(own, event, world).includes(isCut) ? [] : [`${messageId} has ${members}`]),
    ];
  });
};

/** Whether the filters that there were when `match` may have looked take an event: all of them, or none. */
export function takenBy(own: SubscriptionPlan, event: Admitted, world: World): 'always' | 'never' | 'either' {
  const first = own.taste === 'filter' ? 'most' : null;
  const filters = inForce(own, event, world, first, (one) =>
    one.kind === 'filter' ? one.filter : undefined,
  );
  const taken = filters.map((name) => name === null || FILTERS[name].takes.test(event.eventId));
  return taken.every(Boolean) ? 'always' : taken.some(Boolean) ? 'either' : 'never';
}

function cutBy(own: SubscriptionPlan, event: Admitted, world: World): boolean[] {
  return inForce(own, event, world, own.taste === 'fields', (one) =>
    one.kind === 'fields' ? one.fields !== null : undefined,
  );
}

/** @param wanted undefined: the change is about something else */
function inForce<Wanted>(
  { narrowings = [] }: SubscriptionPlan,
  event: Admitted,
  world: World,
  first: Wanted,
  wanted: (one: (typeof narrowings)[number]) => Wanted | undefined,
): Wanted[] {
  const fromMs = event.atMs - world.startedAtMs;
  const untilMs = matchedByMs(event.lastAtMs, event, world) - world.startedAtMs;
  const set = [
    { atMs: Number.NEGATIVE_INFINITY, to: first },
    ...narrowings.flatMap((one) => {
      const to = wanted(one);
      return to === undefined ? [] : [{ atMs: one.atMs, to }];
    }),
  ];
  const before = set.findLastIndex(({ atMs }) => atMs < fromMs);
  return set.filter(({ atMs }, index) => index >= before && atMs <= untilMs).map(({ to }) => to);
}
