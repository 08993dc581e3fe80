import * as z from 'zod';
import { MESSAGE_STATES } from '../../../functions/core/message/message.ts';
import type { HeldData, SequenceOnRecord } from './held-on-record.ts';

/** What has to be known of a message's record to erase it; the rest of it may be unreadable. */
const onRecordSchema = z.object({
  message_id: z.string(),
  event_id: z.string(),
  service_id: z.string(),
  subscription_id: z.string(),
  payment_id: z.string(),
  event_type: z.string().default('unknown'),
  state: z.enum(MESSAGE_STATES),
  state_reason: z.string().optional(),
  attempt_count: z.int(),
  ended_at: z.string().optional(),
  /** Its JSON text, or why that cannot be read. */
  resource: z.string().optional(),
  body_erased_at: z.string().optional(),
  first_attempt: z.looseObject({ response_body: z.string().optional() }).optional(),
});

type Stored = Readonly<Record<string, unknown>>;

/** A message in the history: its item with its resource as text, and those of its later attempts, whole. */
export interface MessageOnRecord {
  readonly known: z.infer<typeof onRecordSchema>;
  readonly record: Stored;
  readonly laterAttempts: readonly Stored[];
}

/** The resource of a large event, apart from its messages; empty when it was erased. */
export interface ResourceOnRecord {
  readonly item: Stored;
  readonly event_id: string;
  /** Its JSON text, or why that cannot be read. */
  readonly resource: string;
  readonly body_erased_at?: string;
}

export interface PaymentOnRecord {
  readonly messages: readonly MessageOnRecord[];
  readonly resources: readonly ResourceOnRecord[];
  /** How far it is if its events are numbered, and those of them that were early. */
  readonly held: SequenceOnRecord;
}

/** @throws when it is no record of a message */
export function messageOnRecord(record: Stored, laterAttempts: readonly Stored[]): MessageOnRecord {
  return { known: onRecordSchema.parse(record), record, laterAttempts };
}

/** What is on record of payments, as an operator looks at it. */
export interface PersonalData extends Pick<HeldData, 'eraseLeft'> {
  /** In the order of intake. */
  of(serviceId: string, paymentId: string): Promise<PaymentOnRecord>;
  /** Removes body and answers at once. False, and unchanged, if the message changed since it was read. */
  eraseMessage(message: MessageOnRecord, at: string): Promise<boolean>;
  /** Leaves an empty resource, so that a worker does not write it again. */
  eraseResource(resource: ResourceOnRecord, at: string): Promise<void>;
}
