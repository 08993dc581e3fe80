import type { DynamoDBRecord } from 'aws-lambda';
import type { KeepArchiveFile } from '../../core/archive/archive-row.ts';
import { archiveRowsOf } from '../../core/archive/archive-row.ts';
import { readChanges } from './read-changes.ts';

export interface ArchivePorts {
  readonly keep: KeepArchiveFile;
  /** Called for a change that cannot be read and therefore adds no row. Never fails. */
  unreadable(error: Error): void;
}

/**
 * Archives the changes of a batch, one file for each table and day. Returns the number of rows.
 *
 * @throws when a file cannot be stored, once all have ended. The batch then comes again, whole or in parts,
 * and overwrites the files already stored; `SELECT DISTINCT` removes the duplicates that are left
 */
export async function archive(records: readonly DynamoDBRecord[], ports: ArchivePorts): Promise<number> {
  const { changes, internalErrors } = readChanges(records);
  for (const internalError of internalErrors) {
    ports.unreadable(internalError);
  }
  const rows = changes.flatMap(({ position, change }) =>
    archiveRowsOf(change).map((row) => ({ position, ...row })),
  );
  const files = Map.groupBy(rows, ({ table, day }) => `${table} ${day}`);
  const kept = await Promise.allSettled(
    [...files.values()].map(([first, ...others]) =>
      ports.keep({
        table: first!.table,
        day: first!.day,
        name: first!.position,
        rows: [first!, ...others].map(({ values }) => values),
      }),
    ),
  );
  for (const outcome of kept) {
    if (outcome.status === 'rejected') {
      throw outcome.reason;
    }
  }
  return rows.length;
}
