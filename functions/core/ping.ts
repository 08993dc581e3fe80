import { type Message, messageId } from './message.ts';
import type { Subscription } from './subscription.ts';

/** The event type, and the resource type, of a test ping. No publisher can send it: it is no public event type. */
export const PING = 'ping';

/** Random bytes of a ping's name: 128 bits, beyond any accidental collision. */
export const PING_BYTES = 16;

const RESOURCE = JSON.stringify({
  message: 'This is a test: it was sent because somebody who looks after this subscription asked for it.',
});

export function isPing({ event_type }: Pick<Message, 'event_type'>): boolean {
  return event_type === PING;
}

/** The message of a test ping, in a key of its own: it waits behind nothing, and nothing waits behind it. */
export function pingOf(
  { service_id, subscription_id, live }: Pick<Subscription, 'service_id' | 'subscription_id' | 'live'>,
  bytes: Uint8Array,
  nowMs: number,
): Message {
  const name = `${PING}-${Buffer.from(bytes).toString('base64url')}`;
  return {
    v: 1,
    ping: true,
    message_id: messageId(name, subscription_id),
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
    // `events.fifo` has not seen it: there is nothing that it could overtake.
    order_number: '0'.repeat(20),
    resource: RESOURCE,
  };
}
