import { publicEventType } from '../../../functions/core/event-types.ts';
import { messageId } from '../../../functions/core/message.ts';
import { type Subscription, wants } from '../../../functions/core/subscription.ts';
import type { Received } from '../receivers.ts';
import type { World } from '../world.ts';

/** A message that had to come about, and the requests that were made for it, in order. */
export interface Expected {
  readonly messageId: string;
  readonly eventId: string;
  readonly admittedAtMs: number;
  readonly requests: readonly Received[];
}

/** All messages of one ordering key, in the order in which their events were admitted. */
export interface Line {
  readonly subscription: Subscription;
  readonly messages: readonly Expected[];
}

/** What a promise found broken: one sentence each, nothing when it was kept. */
export type Check = (world: World, lines: readonly Line[]) => string[];

export function linesOf({ subscriptions, admitted, receivers }: World): Line[] {
  const requestsOf = Map.groupBy(receivers.log, (received) => received.messageId);
  return subscriptions.flatMap((subscription) => {
    const wanted = admitted.filter(({ eventType }) => {
      const public_type = publicEventType(eventType);
      return public_type !== undefined && wants(subscription, { live: false, public_type });
    });
    return [...Map.groupBy(wanted, ({ paymentId }) => paymentId).values()].map((events) => ({
      subscription,
      messages: events.map(({ eventId, atMs }) => {
        const id = messageId(eventId, subscription.subscription_id);
        return { messageId: id, eventId, admittedAtMs: atMs, requests: requestsOf.get(id) ?? [] };
      }),
    }));
  });
}

/** A message as a sentence names it. */
export function nameOf({ eventId }: Expected, { subscription }: Line): string {
  return `${eventId} for ${subscription.subscription_id}`;
}
