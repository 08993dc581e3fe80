import { inDoubt, type NewRecord } from '../../../core/attempt/outcome.ts';
import type { Found } from '../../../core/attempt/ports.ts';
import { type MessageRecord, recordOf } from '../../../core/message/history.ts';
import { type Message, orderingKey, resourceKey, webhookBody } from '../../../core/message/message.ts';
import { positionOf, type QueuedMessage } from '../../../core/ordering/blocked-ordering-key.ts';
import { instant } from '../../../core/text/instant.ts';
import type { Delivery } from '../ports.ts';

/** The next message of a key: one that waits there, or one that has just come and would pause it. */
export type Head = (
  | { readonly isWaiting: true; readonly record: MessageRecord }
  | { readonly isWaiting: false; readonly record: NewRecord }
) & {
  /** As it waits, or would. */
  readonly queuedMessage: QueuedMessage;
  /** JSON text of the event's resource, where that lies apart from the record. */
  readonly resource: string | undefined;
  /** Its subscription is there and cannot be read. */
  readonly internalError: Error | undefined;
  /** How often the queue had handed out what leads to the attempt. */
  readonly receiveCount: number;
};

export function headOfDelivery(
  { message, receiveCount }: Delivery,
  { internalErrors, resources }: Found,
): Head {
  return {
    queuedMessage: queuedMessageOf(message),
    isWaiting: false,
    record: newRecordOf({ message, receiveCount }),
    resource: resources.get(resourceKey(message)),
    internalError: internalErrors.get(message.subscription_id),
    receiveCount,
  };
}

/** A body whose resource did not travel is not written with the message: it can be put together from the event's. */
export function newRecordOf({
  message,
  receiveCount,
}: Pick<Delivery, 'message' | 'receiveCount'>): NewRecord {
  const body = message.resource === undefined ? undefined : webhookBody(message, message.resource);
  const record = recordOf(message, body);
  return receiveCount > 1 ? inDoubt(record) : record;
}

/** Whether an operator has removed what there was to send: with the message, or with its event's resource, which then is an empty text. */
export function isErased({ record, resource }: Pick<Head, 'record' | 'resource'>): boolean {
  return record.body_erased_at !== undefined || (record.body === undefined && resource === '');
}

export function queuedMessageOf(message: Message): QueuedMessage {
  return {
    ordering_key: orderingKey(message),
    place: positionOf(message),
    message_id: message.message_id,
    since: instant(message.admitted_at_ms),
    failed_attempts: 0,
  };
}
