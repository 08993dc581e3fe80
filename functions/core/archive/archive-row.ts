import * as z from 'zod/mini';
import { attemptSchema } from '../attempt/attempt.ts';
import { isPing } from '../catalogue/ping-names.ts';
import { messageRecordSchema } from '../message/history.ts';
import { isFinal } from '../message/outcome.ts';
import { ARCHIVE_TABLES, type ArchiveTable } from './archive-columns.ts';

/** An attempt without the response body, and without the sentence that may name a host. */
const archivedTrySchema = z.omit(attemptSchema, { response_body: true, failure_reason: true });

/** The attributes of a message that the archive reads. */
export const archivedMessageSchema = z.extend(
  z.pick(messageRecordSchema, {
    message_id: true,
    service_id: true,
    subscription_id: true,
    payment_id: true,
    event_type: true,
    live: true,
    event_id: true,
    resource_type: true,
    resource_id: true,
    occurred_at: true,
    admitted_at: true,
    ended_at: true,
    state: true,
    state_reason: true,
    attempt_count: true,
    held_ms: true,
    time_to_send_ms: true,
    late: true,
    last_attempt_at: true,
    last_status_code: true,
    last_failure_class: true,
  }),
  { first_attempt: z.optional(archivedTrySchema) },
);
type ArchivedMessage = z.infer<typeof archivedMessageSchema>;

/** The attributes of a later attempt that the archive reads. */
export const archivedAttemptSchema = z.extend(archivedTrySchema, {
  ...z.pick(messageRecordSchema, {
    message_id: true,
    service_id: true,
    subscription_id: true,
    payment_id: true,
    event_type: true,
    live: true,
  }).shape,
});
type ArchivedAttempt = z.infer<typeof archivedAttemptSchema>;

/** An item of the history before and after a change. Undefined before: it is new. */
export type ArchivedChange =
  | {
      readonly kind: 'message';
      readonly before: ArchivedMessage | undefined;
      readonly after: ArchivedMessage;
    }
  | {
      readonly kind: 'attempt';
      readonly before: ArchivedAttempt | undefined;
      readonly after: ArchivedAttempt;
    };

export interface ArchiveRow {
  readonly table: ArchiveTable;
  /** In UTC, such as 2026-11-14. */
  readonly day: string;
  /** By column name; an absent one is null in SQL. */
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * The rows that a change adds to the archive: an attempt when it is recorded, a message each time it ends. A
 * change that no column shows, such as an erasure, adds none; test pings never do.
 */
export function archiveRowsOf(change: ArchivedChange): ArchiveRow[] {
  if (change.kind === 'attempt') {
    return news(change.before, change.after, attemptRow);
  }
  const { before, after } = change;
  return [...news(before, after, firstAttemptRow), ...news(before, after, endRow)];
}

function news<Record>(
  before: Record | undefined,
  after: Record,
  rowOf: (record: Record) => ArchiveRow | undefined,
): ArchiveRow[] {
  const row = rowOf(after);
  const known = before && rowOf(before);
  return row === undefined || JSON.stringify(row) === JSON.stringify(known) ? [] : [row];
}

function attemptRow(attempt: ArchivedAttempt): ArchiveRow | undefined {
  return isPing(attempt) ? undefined : row('attempts', attempt.started_at, attempt);
}

function firstAttemptRow(message: ArchivedMessage): ArchiveRow | undefined {
  // Late is a property of the attempt: the first attempt of a message that is resent later was not late.
  const { first_attempt, late: _, ...whose } = message;
  return first_attempt && attemptRow({ ...whose, ...first_attempt });
}

function endRow(message: ArchivedMessage): ArchiveRow | undefined {
  return isFinal(message) && message.ended_at !== undefined && !isPing(message)
    ? row('messages', message.ended_at, message)
    : undefined;
}

function row(table: ArchiveTable, at: string, record: Readonly<Record<string, unknown>>): ArchiveRow {
  return {
    table,
    day: at.slice(0, 'YYYY-MM-DD'.length),
    values: Object.fromEntries(
      ARCHIVE_TABLES[table].flatMap(({ name }) =>
        record[name] === undefined ? [] : [[name, record[name]] as const],
      ),
    ),
  };
}

/** Rows of one table and one day. */
export interface ArchiveFile {
  readonly table: ArchiveTable;
  readonly day: string;
  /** The position in the stream of the change that the first row comes from. */
  readonly name: string;
  readonly rows: readonly ArchiveRow['values'][];
}

/** Stores a file of the archive, over an earlier one with the same table, day and name. */
export type KeepArchiveFile = (file: ArchiveFile) => Promise<void>;
