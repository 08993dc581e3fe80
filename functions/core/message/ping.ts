import type { Subscription } from '../subscription/subscription.ts';
import { type Message, messageId } from './message.ts';

/**
 * The event type and the resource type of a test ping. No publisher can send it: it is no public event type.
 */
export const PING = 'ping';

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
    return `At most ${MAX_PINGS.ofSubscription} test pings of a subscription are sent in a minute.`;
  }
  return ofService > MAX_PINGS.ofService
    ? `At most ${MAX_PINGS.ofService} test pings of a service are sent in a minute.`
    : undefined;
}

/** Seconds until the count starts over, 1 to 60. */
export function secondsToNextPings(nowMs: number): number {
  return PING_PERIOD_SECONDS - (Math.floor(nowMs / 1_000) % PING_PERIOD_SECONDS);
}

const RESOURCE = JSON.stringify({
  message: 'This is a test: it was sent because somebody who looks after this subscription asked for it.',
});

export function isPing({ event_type }: Pick<Message, 'event_type'>): boolean {
  return event_type === PING;
}

/**
 * The message of a test ping, with an ordering key of its own: it waits behind nothing, and nothing waits
 * behind it.
 */
export function pingOf(
  { service_id, subscription_id, live }: Pick<Subscription, 'service_id' | 'subscription_id' | 'live'>,
  bytes: Uint8Array,
  nowMs: number,
): Message {
  const name = `${PING}-${Buffer.from(bytes).toString('base64url')}`;
  return {
    v: 1,
    ping: true,
    message_id: messageId(name, subscription_id, name),
    event_id: name,
    service_id,
    subscription_id,
    payment_id: name,
    event_type: PING,
    resource_type: PING,
    resource_id: name,
    live,
    admitted_at_ms: nowMs,
    occurred_at: new Date(nowMs).toISOString(),
    // It never was on `events.fifo`, and there is nothing that it could overtake.
    order_number: '0'.repeat(20),
    resource: RESOURCE,
  };
}
