import { messageId } from '../../../functions/core/message/message.ts';
import type { SentEvent } from '../../artillery/messages.ts';
import type { Partner } from '../partners/partner.ts';

/** A message that a subscription should receive for an event on the bus. */
export interface Expected {
  readonly messageId: string;
  readonly eventId: string;
  readonly paymentId: string;
  readonly subscriptionId: string;
  /** Position among the events of its payment. */
  readonly sequence: number;
  readonly sentAtMs: number;
  /** The result reports messages by group. */
  readonly group: string;
}

/**
 * One message per subscription of the event's service. The `webhook-id` is derived from both, so it is known
 * before anything arrives.
 */
export function expectedOf(
  event: SentEvent,
  partner: Pick<Partner, 'serviceId' | 'subscriptionIds' | 'group'>,
): Expected[] {
  return partner.subscriptionIds.map((subscriptionId) => ({
    messageId: messageId({
      service_id: partner.serviceId,
      payment_id: event.payment_id,
      event_id: event.event_id,
      subscription_id: subscriptionId,
    }),
    eventId: event.event_id,
    paymentId: event.payment_id,
    subscriptionId,
    sequence: event.sequence,
    sentAtMs: event.sent_at_ms,
    group: partner.group,
  }));
}
