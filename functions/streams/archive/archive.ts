import type { DynamoDBRecord } from 'aws-lambda';
import type { ArchiveTable } from '../../core/message/archive-columns.ts';
import { type ArchiveRow, archiveRowsOf } from '../../core/message/archive-row.ts';
import { readChanges } from './read-changes.ts';

/** Rows of one table and day. */
export interface ArchiveFile {
  readonly table: ArchiveTable;
  readonly day: string;
  /** The place in the stream of the change that its first row comes from. */
  readonly name: string;
  readonly rows: readonly ArchiveRow['values'][];
}

export interface ArchivePorts {
  /** Takes the place of an earlier file of that table, day and name. */
  keep(file: ArchiveFile): Promise<void>;
  /** A change that cannot be read adds no row. Never fails. */
  unreadable(internalError: Error): void;
}

/**
 * Keeps the rows that the changes of a batch add up to: a file for each table and day; answers how many rows.
 *
 * @throws when one cannot be kept, once all have ended. The batch comes again then, whole or in parts, and its files take the place of those that were
 * kept; what is doubled all the same, `SELECT DISTINCT` undoes
 */
export async function archive(records: readonly DynamoDBRecord[], ports: ArchivePorts): Promise<number> {
  const { changes, internalErrors } = readChanges(records);
  for (const internalError of internalErrors) {
    ports.unreadable(internalError);
  }
  const placed = changes.flatMap(({ position, change }) =>
    archiveRowsOf(change).map((row) => ({ place: position, ...row })),
  );
  const files = Map.groupBy(placed, ({ table, day }) => `${table} ${day}`);
  const kept = await Promise.allSettled(
    [...files.values()].map(([first, ...others]) =>
      ports.keep({
        table: first!.table,
        day: first!.day,
        name: first!.place,
        rows: [first!, ...others].map(({ values }) => values),
      }),
    ),
  );
  for (const outcome of kept) {
    if (outcome.status === 'rejected') {
      throw outcome.reason;
    }
  }
  return placed.length;
}
