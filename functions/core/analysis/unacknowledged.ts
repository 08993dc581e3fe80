import { isPing } from '../catalogue/ping-names.ts';
import { MESSAGE_STATES, type UndeliveredState } from '../message/message.ts';
import type { Position } from '../message/message-history.ts';
import type { MessageSummary } from '../message/message-view.ts';
import type { Span, StageFigures } from './ports.ts';
import { isSubscription, type Place, subscriptionsOf } from './walk.ts';

/** In the order in which a subscription's messages are read. */
export const UNDELIVERED_STATES = MESSAGE_STATES.filter(
  (state): state is UndeliveredState => state !== 'succeeded',
);
/** Of a page of the index: some 100 KB. */
const AT_ONCE = 250;
const MAX_MESSAGES = 1_000;
const MAX_QUERIES = 60;

/** Where reading continues: in a state of a subscription, or behind a place. */
export interface Where extends Place {
  readonly state?: UndeliveredState | undefined;
  readonly after?: Position | undefined;
}

export interface MessagesWanted extends Span {
  /** Of this service alone. */
  readonly only?: string | undefined;
  readonly wants?: (message: MessageSummary) => boolean;
}

export type OfService = MessageSummary & Pick<Place, 'service_id'>;

/**
 * Messages that no 2xx has acknowledged, without test pings, by subscription and state, the newest first: until
 * there are many, or it took many queries. @returns `next` where more may follow
 */
export async function unacknowledged(
  reads: StageFigures,
  { since, until, only, wants = () => true }: MessagesWanted,
  from?: Where,
): Promise<{ readonly messages: readonly OfService[]; readonly next?: Where }> {
  const messages: OfService[] = [];
  let queries = 0;
  const isFull = () => messages.length >= MAX_MESSAGES || queries >= MAX_QUERIES;
  for await (const place of placesFrom(reads, only, from)) {
    if (!isSubscription(place)) {
      queries += 1;
      if (isFull()) return { messages, next: place };
      continue;
    }
    const isFirst = from?.state !== undefined && from.subscription_id === place.subscription_id;
    const states = isFirst
      ? UNDELIVERED_STATES.slice(UNDELIVERED_STATES.indexOf(from.state!))
      : UNDELIVERED_STATES;
    for (const state of states) {
      let after: Position | undefined = isFirst && state === from.state ? from.after : undefined;
      do {
        if (isFull()) return { messages, next: { ...place, state, ...(after && { after }) } };
        queries += 1;
        const wanted = { since, until, state, limit: AT_ONCE, ...(after && { after }) };
        const page = await reads.messages(place.subscription_id, wanted);
        for (const message of page.messages) {
          if (!isPing(message) && wants(message)) messages.push({ service_id: place.service_id, ...message });
        }
        after = page.next;
      } while (after !== undefined);
    }
  }
  return { messages };
}

/** A subscription that was left in the middle comes first. */
async function* placesFrom(
  reads: StageFigures,
  only: string | undefined,
  from: Where | undefined,
): AsyncGenerator<Place> {
  const { service_id, subscription_id, state } = from ?? {};
  if (service_id !== undefined && state !== undefined) {
    yield { service_id, subscription_id };
  }
  yield* subscriptionsOf(reads, {
    only,
    after: service_id === undefined ? undefined : { service_id, subscription_id },
  });
}
