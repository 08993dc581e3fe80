import type { Attempt } from '../attempt/attempt.ts';
import type { MessageRecord } from './history.ts';

/** A column of the archive: named as in the history, with the type that Athena gives it. */
export interface ArchiveColumn<Name extends string = string> {
  readonly name: Name;
  readonly type: 'string' | 'boolean' | 'int' | 'bigint';
  readonly meaning: string;
}

/** Whose a message or an attempt is, and what kind of event it is about. Ids only: no body, no answer, no address. */
const WHOSE = [
  { name: 'message_id', type: 'string', meaning: 'The `webhook-id`: the same on every attempt' },
  { name: 'service_id', type: 'string', meaning: 'The partner' },
  { name: 'subscription_id', type: 'string', meaning: 'Whose callback URL it goes to' },
  { name: 'payment_id', type: 'string', meaning: 'What stays in order' },
  { name: 'event_type', type: 'string', meaning: 'As in the webhook; there are no test pings here' },
  { name: 'live', type: 'boolean', meaning: 'Whether it is about real money' },
] as const satisfies readonly ArchiveColumn<keyof MessageRecord>[];

export const ATTEMPT_COLUMNS = [
  ...WHOSE,
  { name: 'attempt', type: 'int', meaning: '1 for the first try' },
  { name: 'started_at', type: 'string', meaning: 'ISO 8601 in UTC; its day is the partition' },
  { name: 'duration_ms', type: 'bigint', meaning: 'From looking up the host to the last byte that was read' },
  { name: 'status_code', type: 'int', meaning: 'Null when no answer came' },
  { name: 'failure_class', type: 'string', meaning: 'Null when it was delivered' },
  { name: 'probe', type: 'boolean', meaning: 'True when it was made to see whether the endpoint was back' },
  {
    name: 'late',
    type: 'boolean',
    meaning: 'True when the message had ended before and was asked for again',
  },
  {
    name: 'earlier_may_be_missing',
    type: 'boolean',
    meaning: 'True when a try before it may not be on record',
  },
] as const satisfies readonly ArchiveColumn<keyof MessageRecord | keyof Attempt>[];

export const MESSAGE_COLUMNS = [
  ...WHOSE,
  { name: 'event_id', type: 'string', meaning: 'Chosen by whoever published the event' },
  { name: 'resource_type', type: 'string', meaning: '`payment` or `refund`' },
  { name: 'resource_id', type: 'string', meaning: 'Of the payment or the refund' },
  { name: 'occurred_at', type: 'string', meaning: 'When the event happened, as its publisher says' },
  { name: 'admitted_at', type: 'string', meaning: 'When the event was taken in' },
  { name: 'ended_at', type: 'string', meaning: 'When the message ended; its day is the partition' },
  { name: 'state', type: 'string', meaning: '`succeeded`, `exhausted` or `cancelled`' },
  { name: 'state_reason', type: 'string', meaning: 'Why it did not succeed' },
  { name: 'attempt_count', type: 'int', meaning: '0 when it was never tried' },
  {
    name: 'held_ms',
    type: 'bigint',
    meaning: 'How long it was held before its first attempt; null when not',
  },
  {
    name: 'time_to_send_ms',
    type: 'bigint',
    meaning: 'From admission to the first attempt, without `held_ms`',
  },
  { name: 'late', type: 'boolean', meaning: 'True when it had ended before and was asked for again' },
  { name: 'last_attempt_at', type: 'string', meaning: 'When the last attempt began' },
  { name: 'last_status_code', type: 'int', meaning: 'What the last attempt was answered' },
  { name: 'last_failure_class', type: 'string', meaning: 'Why the last attempt failed' },
] as const satisfies readonly ArchiveColumn<keyof MessageRecord>[];

/** The tables of the archive: a row for each attempt, and one for each end of a message. */
export const ARCHIVE_TABLES = { attempts: ATTEMPT_COLUMNS, messages: MESSAGE_COLUMNS } as const;
export type ArchiveTable = keyof typeof ARCHIVE_TABLES;
