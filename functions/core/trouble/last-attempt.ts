import * as z from 'zod/mini';
import { attemptSchema } from '../attempt/attempt.ts';
import type { Circuit } from '../circuit/circuit.ts';
import { type MessageRecord, messageRecordSchema } from '../message/history.ts';

/** What indexes of the history carry of the last attempt of a message. */
export const attemptedSchema = z.extend(
  z.pick(messageRecordSchema, {
    message_id: true,
    payment_id: true,
    state: true,
    attempt_count: true,
    next_attempt_at: true,
    last_status_code: true,
    last_failure_class: true,
  }),
  { last_attempt_at: z.string() },
);

/** What no index of the history carries of an attempt. */
export const detailSchema = z.pick(attemptSchema, { duration_ms: true, failure_reason: true });
export type AttemptDetails = Partial<z.infer<typeof detailSchema>>;

/**
 * The last attempt of a message. Its duration and the reason of a failure only where the caller may read the
 * history.
 */
export type LastAttempt = z.infer<typeof attemptedSchema> & AttemptDetails;

/** A payment, in one subscription. */
export type EndpointPayment = Pick<MessageRecord, 'service_id' | 'subscription_id' | 'payment_id'>;

/** Attempts from the history. */
export interface EndpointAttempts {
  /** Recent attempts, the newest first: at most 50, from 450 messages, for some 100 read units. */
  recent(
    name: Pick<EndpointPayment, 'service_id' | 'subscription_id'>,
    circuit: Circuit | undefined,
  ): Promise<readonly LastAttempt[]>;
  /** The message of a payment that is tried again and again; undefined when there is none any more. */
  ofPayment(payment: EndpointPayment): Promise<LastAttempt | undefined>;
}
