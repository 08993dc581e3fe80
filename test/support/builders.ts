import type { KeptSecrets, SigningKeys } from '../../functions/core/attempt/signing-keys.ts';
import { type Message, messageId, orderingKey } from '../../functions/core/message/message.ts';
import type { Subscription } from '../../functions/core/subscription/subscription.ts';
import type { Delivery } from '../../functions/pipeline/deliver/ports.ts';
import type { Intake } from '../../functions/pipeline/match/ports.ts';

/** 14 November 2026, 10:00:00.000 UTC. */
export const TEN_O_CLOCK_MS = Date.UTC(2026, 10, 14, 10);

const REFUNDS = ['REFUND_SUCCEEDED', 'card_payment_refunded'];

/** A payment event as a publisher puts it. A test names only the fields it is about. */
export function paymentEvent(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    event_id: 'evt-1',
    service_id: 'bakery',
    gateway_account_id: '42',
    live: false,
    payment_id: 'pay-1',
    // As the catalogue says of both.
    resource_type: REFUNDS.includes(String(over.event_type)) ? 'refund' : 'payment',
    resource_id: 'pay-1',
    event_type: 'CAPTURE_CONFIRMED',
    occurred_at: '2026-11-14T10:00:00.000Z',
    resource: { amount: 1_000 },
    ...over,
  };
}

export function intake(detail: unknown, over: Partial<Intake> = {}): Intake {
  const recordId = over.recordId ?? `record of ${(detail as { event_id?: string })?.event_id ?? 'nothing'}`;
  return {
    recordId,
    group: 'shard-01',
    body: typeof detail === 'string' ? detail : JSON.stringify(detail),
    admittedAtMs: TEN_O_CLOCK_MS,
    orderNumber: '00000000000000000001',
    receiveCount: 1,
    ...over,
  };
}

export function message(over: Partial<Message> = {}): Message {
  const eventId = over.event_id ?? 'evt-1';
  const subscriptionId = over.subscription_id ?? 'sub_1';
  return {
    v: 1,
    message_id: messageId({
      service_id: over.service_id ?? 'bakery',
      payment_id: over.payment_id ?? 'pay-1',
      event_id: eventId,
      subscription_id: subscriptionId,
    }),
    event_id: eventId,
    service_id: 'bakery',
    subscription_id: subscriptionId,
    payment_id: 'pay-1',
    event_type: 'card_payment_captured',
    resource_type: 'payment',
    resource_id: 'pay-1',
    live: false,
    admitted_at_ms: TEN_O_CLOCK_MS,
    occurred_at: '2026-11-14T10:00:00.000Z',
    order_number: '00000000000000000001',
    resource: '{"amount":1000}',
    ...over,
  };
}

export function delivery(over: Partial<Message> = {}, receiveCount = 1): Delivery {
  const of = message(over);
  return {
    recordId: `record of ${of.event_id}`,
    name: of,
    group: orderingKey(of),
    body: JSON.stringify(of),
    receipt: `receipt of ${of.event_id}`,
    receiveCount,
    message: of,
  };
}

export function subscription(over: Partial<Subscription> = {}): Subscription {
  return {
    service_id: 'bakery',
    subscription_id: 'sub_1',
    callback_url: 'https://bakery.example/webhooks',
    description: 'orders',
    event_types: ['*'],
    live: false,
    state: 'active',
    created_at: '2026-11-01T00:00:00.000Z',
    timeout_ms: 10_000,
    ...over,
  };
}

/** The keys of Standard Webhooks' test vectors. */
export function signingKeys(over: Partial<SigningKeys> = {}): SigningKeys {
  return {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    private_key:
      'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==',
    created_at: '2026-11-01T00:00:00.000Z',
    ...over,
  };
}

/** A subscription's signing keys; few tests care which. */
export function keptSecrets(over: Partial<SigningKeys> = {}): KeptSecrets {
  return { secrets: { sec_1: signingKeys(over) } };
}
