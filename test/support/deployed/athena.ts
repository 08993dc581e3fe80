import { spawn } from 'node:child_process';
import path from 'node:path';
import { json, text } from 'node:stream/consumers';
import { ARCHIVE_TABLES } from '../../../functions/core/archive/archive-columns.ts';
import { NAMED_QUERIES } from '../../../lib/named-queries.ts';
import { LOCAL_DIRECTORY } from '../../../lib/project-paths.ts';
import { ensureVenv } from '../../../local/python/venv.ts';

export type Answers = Readonly<Record<string, readonly Record<string, unknown>[]>>;

interface Query {
  readonly name: string;
  readonly sql: string;
}

/** Installs what runs the queries, if missing: DuckDB, and a translator from Athena's SQL. */
export function athenaPython(): Promise<string> {
  return ensureVenv({
    name: 'sql-venv',
    requirements: path.join(import.meta.dirname, '../python/requirements-sql.txt'),
    directory: LOCAL_DIRECTORY,
    log: (line) => process.stderr.write(`${line}\n`),
  });
}

/**
 * The results of queries over files in a folder that is laid out like the archive's bucket.
 *
 * @param parameters by query name
 * @throws with Python's message, when a query is not valid Athena SQL
 */
export async function askArchive(
  folder: string,
  parameters: Readonly<Record<string, readonly string[]>> = {},
  queries: readonly Query[] = NAMED_QUERIES,
): Promise<Answers> {
  const python = spawn(await athenaPython(), [path.join(import.meta.dirname, 'athena_queries.py')]);
  python.stdin.end(
    JSON.stringify({
      folder,
      tables: Object.fromEntries(
        Object.entries(ARCHIVE_TABLES).map(([table, columns]) => [
          table,
          Object.fromEntries(columns.map(({ name, type }) => [name, type])),
        ]),
      ),
      queries: queries.map(({ name, sql }) => ({ name, sql, parameters: parameters[name] ?? [] })),
    }),
  );
  const complaint = text(python.stderr);
  try {
    return (await json(python.stdout)) as Answers;
  } catch {
    throw new Error(`the queries could not be run: ${await complaint}`);
  }
}
