import type * as z from 'zod/mini';
import { NewerFormatError } from '../../../core/event/format-version.ts';
import type { MessageRecord } from '../../../core/message/history.ts';
import { BODY_FORMATS, orderingKey } from '../../../core/message/message.ts';
import type { Item } from '../marshalled.ts';
import { read } from '../readable.ts';
import { messageAddress, messageIdAt, stateIn } from '../table-keys.ts';
import { packed, unpacked } from './stored-resource.ts';

/** What a first attempt repeats of the record as long as there is no other. */
const REPEATED = [
  ['started_at', 'last_attempt_at'],
  ['status_code', 'last_status_code'],
  ['failure_class', 'last_failure_class'],
] as const;

/**
 * A record as an item of less than 1 KB, of which DynamoDB bills one write: without what follows from its
 * other attributes, and with its resource compressed. `messageIn` adds all that again.
 */
export function messageItem(record: MessageRecord): Item {
  const {
    message_id,
    ordering_key: _,
    resource_type,
    resource_id,
    resource,
    first_attempt,
    ...kept
  } = record;
  return {
    ...messageAddress(message_id),
    ...kept,
    ...(resource_type === 'payment' ? {} : { resource_type }),
    ...(resource_id === record.payment_id ? {} : { resource_id }),
    ...(resource === undefined ? {} : { resource: packed(resource) }),
    ...(first_attempt === undefined ? {} : { first_attempt: shortened(first_attempt, record) }),
  };
}

/**
 * An item of a message, or what an index has of it, with what was left out. An item that was read in part may
 * lack any of it.
 *
 * @throws when its resource cannot be read
 */
export function messageIn(item: Item): Item {
  const { payment_hash: _, item: __, resource, first_attempt, ...kept } = item;
  const { subscription_id, payment_id, state, undelivered } = kept;
  return {
    ...kept,
    message_id: messageIdAt(item),
    // The index of what is not delivered has it in its key.
    ...(state === undefined && typeof undelivered === 'string' ? { state: stateIn(undelivered) } : {}),
    ordering_key: orderingKey({ subscription_id, payment_id } as Pick<
      MessageRecord,
      'subscription_id' | 'payment_id'
    >),
    resource_type: kept.resource_type ?? 'payment',
    resource_id: kept.resource_id ?? payment_id,
    ...(resource instanceof Uint8Array ? { resource: unpacked(resource) } : {}),
    ...(isObject(first_attempt) ? { first_attempt: completed(first_attempt, kept) } : {}),
  };
}

/** The message of an item; or what is wrong with it, without what it says. */
export function readMessage<Value>(item: Item, schema: z.ZodMiniType<Value>): Value | Error {
  const id = messageIdAt(item);
  const { body_format } = item;
  if ((body_format as number) > BODY_FORMATS) {
    return new NewerFormatError(
      `message ${id}: its body has format ${body_format}, known: 1 to ${BODY_FORMATS}`,
    );
  }
  try {
    return read(messageIn(item), schema, 'message_id');
  } catch (error) {
    return new Error(`message_id ${id}: cannot be read; ${(error as Error).message}`);
  }
}

function shortened(
  { attempt: _, ...first }: NonNullable<MessageRecord['first_attempt']>,
  record: MessageRecord,
) {
  const isOnly = REPEATED.every(([own, last]) => first[own] === record[last]);
  const { started_at: __, status_code: ___, failure_class: ____, ...short } = first;
  return isOnly ? short : first;
}

function completed(first: Item, record: Item): Item {
  const repeated = 'started_at' in first ? [] : REPEATED.map(([own, last]) => [own, record[last]] as const);
  return {
    attempt: 1,
    ...Object.fromEntries(repeated.filter(([, value]) => value !== undefined)),
    ...first,
  };
}

function isObject(value: unknown): value is Item {
  return typeof value === 'object' && value !== null;
}
