import { inDoubt, type NewRecord } from '../../../core/attempt/outcome.ts';
import type { Found } from '../../../core/attempt/ports.ts';
import { type MessageRecord, recordOf } from '../../../core/message/history.ts';
import { type Message, orderingKey, resourceKey, webhookBody } from '../../../core/message/message.ts';
import { positionOf, type QueuedMessage } from '../../../core/ordering/blocked-ordering-key.ts';
import { instant } from '../../../core/text/instant.ts';
import type { Delivery } from '../read-deliveries.ts';

/**
 * The first message of an ordering key: one that waits for it, or one that has just come and may block it.
 */
export type Head = (
  | { readonly isWaiting: true; readonly record: MessageRecord }
  | { readonly isWaiting: false; readonly record: NewRecord }
) & {
  /** As it is queued, or would be. */
  readonly queuedMessage: QueuedMessage;
  /** JSON text of the event's resource, if that is stored apart from the record. */
  readonly resource: string | undefined;
  /** Its subscription is stored and cannot be read. */
  readonly internalError: Error | undefined;
  /** How often SQS has delivered the record that leads to the attempt. */
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

/**
 * The record of a message that is new. A large resource is stored once per event, so its body is not in the
 * record.
 */
export function newRecordOf({
  message,
  receiveCount,
}: Pick<Delivery, 'message' | 'receiveCount'>): NewRecord {
  const body = message.resource === undefined ? undefined : webhookBody(message, message.resource);
  const record = recordOf(message, body);
  return receiveCount > 1 ? inDoubt(record) : record;
}

/**
 * Whether an operator has erased what there was to send: in the record, or in the event's resource, which is
 * then empty.
 */
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
