import { messageId } from '../../../functions/core/message/message.ts';
import type { SentEvent } from '../../artillery/link.ts';
import type { Customer } from '../partners/partner.ts';

/** A message that a subscription should get of an event that is on the bus. */
export interface Expected {
  readonly messageId: string;
  readonly eventId: string;
  readonly paymentId: string;
  readonly subscriptionId: string;
  /** Position among the events of its payment. */
  readonly sequence: number;
  readonly sentAtMs: number;
  /** Of the result. */
  readonly group: string;
}

/** One for each subscription of the event's service. The `webhook-id` is derived from both, so it is known before anything arrives. */
export function expectedOf(
  event: SentEvent,
  customer: Pick<Customer, 'subscriptionIds' | 'group'>,
): Expected[] {
  return customer.subscriptionIds.map((subscriptionId) => ({
    messageId: messageId(event.event_id, subscriptionId, event.payment_id),
    eventId: event.event_id,
    paymentId: event.payment_id,
    subscriptionId,
    sequence: event.sequence,
    sentAtMs: event.sent_at_ms,
    group: customer.group,
  }));
}
