import { type MessageRecord, recordOf } from '../core/history.ts';
import type { Pointer } from '../core/key-lifecycle.ts';
import { type Message, orderingKey, resourceKey, webhookBody } from '../core/message.ts';
import type { NewRecord } from '../core/outcome.ts';
import type { Delivery, Found, Waiting } from './ports.ts';

/** The next message of a key: one that waits there, or one that has just come and would pause it. */
export interface Head {
  /** As it waits, or would. */
  readonly pointer: Pointer;
  readonly isWaiting: boolean;
  readonly record: NewRecord | MessageRecord;
  /** JSON text of the event's resource, where that lies apart from the record. */
  readonly resource: string | undefined;
  /** What of this message, or of its subscription, is there and cannot be read. */
  readonly fault: Error | undefined;
  /** How often the queue had handed out what leads to the attempt. */
  readonly receiveCount: number;
  /** A worker may have attempted the message and died before it could record that. */
  readonly earlierMayBeMissing: boolean;
}

export function headOfDelivery({ message, receiveCount }: Delivery, { faults, resources }: Found): Head {
  return {
    pointer: pointerOf(message),
    isWaiting: false,
    record: newRecordOf(message),
    resource: resources.get(resourceKey(message)),
    fault: faults.get(message.subscription_id) ?? faults.get(message.message_id),
    receiveCount,
    earlierMayBeMissing: receiveCount > 1,
  };
}

export function headOfWaiting(
  { pointer, resource, fault }: Waiting,
  record: MessageRecord,
  subscriptionFault: Error | undefined,
  received: Pick<Head, 'receiveCount' | 'earlierMayBeMissing'>,
): Head {
  return { pointer, isWaiting: true, record, resource, fault: subscriptionFault ?? fault, ...received };
}

/** A body whose resource did not travel is not written with the message: it can be put together from the event's. */
export function newRecordOf(message: Message): NewRecord {
  return recordOf(
    message,
    message.resource === undefined ? undefined : webhookBody(message, message.resource),
  );
}

export function pointerOf(message: Message): Pointer {
  return {
    ordering_key: orderingKey(message),
    order_number: message.order_number,
    message_id: message.message_id,
    admitted_at: new Date(message.admitted_at_ms).toISOString(),
    failed_attempts: 0,
  };
}
