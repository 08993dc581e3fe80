import type { Attempt } from '../attempt/attempt.ts';
import type { MessageRecord } from '../message/history.ts';

/** A column of the archive: named as in the history, with its type in Athena. */
export interface ArchiveColumn<Name extends string = string> {
  readonly name: Name;
  readonly type: 'string' | 'boolean' | 'int' | 'bigint';
  readonly meaning: string;
}

/** What both tables say about the message. Only ids: no body, no answer, no address. */
const WHOSE = [
  { name: 'message_id', type: 'string', meaning: 'The `webhook-id`, the same on every attempt' },
  { name: 'service_id', type: 'string', meaning: 'The service' },
  { name: 'subscription_id', type: 'string', meaning: 'The subscription' },
  { name: 'payment_id', type: 'string', meaning: 'The payment' },
  { name: 'event_type', type: 'string', meaning: 'As in the webhook. Test pings are not archived' },
  { name: 'live', type: 'boolean', meaning: 'Whether real money is involved' },
] as const satisfies readonly ArchiveColumn<keyof MessageRecord>[];

const ATTEMPT_COLUMNS = [
  ...WHOSE,
  { name: 'attempt', type: 'int', meaning: '1 for the first' },
  { name: 'started_at', type: 'string', meaning: 'When it began: ISO 8601 in UTC; its day is the partition' },
  { name: 'duration_ms', type: 'bigint', meaning: 'From DNS lookup to the last byte read' },
  { name: 'status_code', type: 'int', meaning: 'Null without an answer' },
  { name: 'failure_class', type: 'string', meaning: 'Null if delivered' },
  { name: 'probe', type: 'boolean', meaning: 'True for a probe' },
  { name: 'late', type: 'boolean', meaning: 'True if the message had ended before and was sent again' },
  {
    name: 'earlier_may_be_missing',
    type: 'boolean',
    meaning: 'True if an earlier attempt may not be recorded',
  },
] as const satisfies readonly ArchiveColumn<keyof MessageRecord | keyof Attempt>[];

const MESSAGE_COLUMNS = [
  ...WHOSE,
  { name: 'event_id', type: 'string', meaning: 'Chosen by the publisher' },
  { name: 'resource_type', type: 'string', meaning: 'What the resource is, as the event says' },
  { name: 'resource_id', type: 'string', meaning: 'The id of the resource' },
  { name: 'occurred_at', type: 'string', meaning: 'When the event happened, according to the publisher' },
  { name: 'admitted_at', type: 'string', meaning: 'When our events queue took the event' },
  { name: 'ended_at', type: 'string', meaning: 'When the message ended; its day is the partition' },
  { name: 'state', type: 'string', meaning: '`succeeded`, `exhausted` or `cancelled`' },
  { name: 'state_reason', type: 'string', meaning: 'Why it did not succeed' },
  { name: 'attempt_count', type: 'int', meaning: '0 if never attempted' },
  {
    name: 'held_ms',
    type: 'bigint',
    meaning: 'Time it was held before its first attempt; null if it was not',
  },
  {
    name: 'time_to_send_ms',
    type: 'bigint',
    meaning: 'From `admitted_at` to the first attempt, without `held_ms`, with ordering wait',
  },
  { name: 'late', type: 'boolean', meaning: 'True if it had ended before and was sent again' },
  { name: 'last_attempt_at', type: 'string', meaning: 'When the last attempt began' },
  { name: 'last_status_code', type: 'int', meaning: 'The status of the last attempt' },
  { name: 'last_failure_class', type: 'string', meaning: 'Why the last attempt failed' },
] as const satisfies readonly ArchiveColumn<keyof MessageRecord>[];

/** The tables of the archive: one row for each attempt, and one for each time a message ends. */
export const ARCHIVE_TABLES = { attempts: ATTEMPT_COLUMNS, messages: MESSAGE_COLUMNS } as const;
export type ArchiveTable = keyof typeof ARCHIVE_TABLES;
