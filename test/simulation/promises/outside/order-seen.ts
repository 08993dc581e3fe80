import type { Received } from '../../people/receivers.ts';
import type { World } from '../../world.ts';
import type { Check } from '../evidence/backlog.ts';
import { type Owed, untouchedOf } from './owed.ts';

/**
 * As endpoints see it: once a later event of a payment has come, no earlier one follows, unless it had been
 * taken before, or given up at its endpoint's word. Which is earlier, publishers and `events.fifo` say.
 */
export const orderSeen: Check = (world) => {
  const { resends, recoveries } = world.plan.requests;
  return resends.length + recoveries.length > 0
    ? []
    : untouchedOf(world).flatMap(({ subscriptionId, owed }) =>
        [...Map.groupBy(owed, ({ event }) => event.paymentId).values()].flatMap((ofPayment) =>
          ofPayment.flatMap((earlier) =>
            ofPayment
              .filter((later) => isBefore(earlier, later, world) && hasOvertaken(later, earlier, world))
              .map(({ event }) => `${subscriptionId} got ${earlier.event.eventId} after ${event.eventId}`),
          ),
        ),
      );
};

/**
 * An event without a number, or that came after a higher one, has no place but that of its arrival; nor do two
 * with the same number, and those of two doors arrive side by side. While a dead worker has a numbered one in
 * hand, those behind it may stop waiting.
 */
function isBefore({ event: one }: Owed, { event: other }: Owed, { plan }: World): boolean {
  const mayBeGivenUp = one.sequence !== undefined && plan.faults.untilMs > 0;
  return (
    !mayBeGivenUp &&
    one.atMs < other.atMs &&
    (one.sequence === undefined) === (other.sequence === undefined) &&
    ((one.sequence ?? 0) < (other.sequence ?? 0) ||
      (one.sequence === other.sequence && one.door === other.door))
  );
}

function hasOvertaken(later: Owed, earlier: Owed, { endedAtMs }: World): boolean {
  const firstMs = Math.min(...later.requests.map(({ startedAtMs }) => startedAtMs));
  const overMs = earlier.requests.find(isLast)?.startedAtMs ?? endedAtMs;
  return earlier.requests.some(
    ({ begunAtMs, invocation }) => begunAtMs > firstMs && begunAtMs <= overMs && invocation.met.length === 0,
  );
}

function isLast({ taken, reaction }: Received): boolean {
  return taken || reaction.headers?.['webhook-delivery'] === 'abort-message';
}
