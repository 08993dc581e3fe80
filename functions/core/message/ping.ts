import type { EventType } from '../catalogue/event-type.ts';
import { PING, sampleType } from '../catalogue/ping-names.ts';
import type { Subscription } from '../subscription/subscription.ts';
import { type Message, messageId } from './message.ts';

/** Random bytes of a ping's name: with 128 bits there are no accidental collisions. */
export const PING_BYTES = 16;

/** Pings are counted by the minute. */
export const PING_PERIOD_SECONDS = 60;

/**
 * How many per minute for one subscription, and for all subscriptions of a service. A ping bypasses circuits
 * and rate limits and may hang for 30 s: a service has ten under way at most, and twice as many around the
 * turn of a minute.
 */
const MAX_PINGS = { ofSubscription: 5, ofService: 20 };

/** Test pings of this minute, including the one that is asked for. */
export interface PingCounts {
  readonly ofSubscription: number;
  readonly ofService: number;
}

/** Why a ping is refused for now; undefined when it is not. */
export function tooManyPings({ ofSubscription, ofService }: PingCounts): string | undefined {
  if (ofSubscription > MAX_PINGS.ofSubscription) {
    return `At most ${MAX_PINGS.ofSubscription} test pings and challenges of a subscription are sent in a minute.`;
  }
  return ofService > MAX_PINGS.ofService
    ? `At most ${MAX_PINGS.ofService} test pings and challenges of a service are sent in a minute.`
    : undefined;
}

/** Seconds until the count starts over, 1 to 60. */
export function secondsToNextPings(nowMs: number): number {
  return PING_PERIOD_SECONDS - (Math.floor(nowMs / 1_000) % PING_PERIOD_SECONDS);
}

const TEST = {
  message: 'This is a test: it was sent because somebody who looks after this subscription asked for it.',
};

/**
 * The message of a test ping, with an ordering key of its own: it waits behind nothing, and nothing waits
 * behind it.
 *
 * @param sampleOf the event type whose sample it carries, if it has one; absent: it is a bare ping
 */
export function pingOf(
  { service_id, subscription_id, live }: Pick<Subscription, 'service_id' | 'subscription_id' | 'live'>,
  bytes: Uint8Array,
  nowMs: number,
  sampleOf?: Pick<EventType, 'name' | 'sample'>,
): Message {
  const kind = sampleOf === undefined ? PING : 'sample';
  const name = `${kind}-${Buffer.from(bytes).toString('base64url')}`;
  return {
    v: 1,
    ping: true,
    message_id: messageId({ service_id, payment_id: name, event_id: name, subscription_id }),
    event_id: name,
    service_id,
    subscription_id,
    payment_id: name,
    event_type: sampleOf === undefined ? PING : sampleType(sampleOf.name),
    resource_type: kind,
    resource_id: name,
    live,
    admitted_at_ms: nowMs,
    occurred_at: new Date(nowMs).toISOString(),
    // It never was on `events.fifo`, and there is nothing that it could overtake.
    order_number: '0'.repeat(20),
    resource: JSON.stringify(sampleOf?.sample ?? TEST),
  };
}
