import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from './project-paths.ts';

const folder = path.join(PROJECT, 'lib/athena');

/** A query of the archive that is saved in Athena: a file of `lib/athena/`. */
export interface NamedQuery {
  readonly name: string;
  /** The file's first line. */
  readonly question: string;
  readonly sql: string;
}

/** Every named query; docs/archive.md lists them, and tests run them. */
export const NAMED_QUERIES: readonly NamedQuery[] = readdirSync(folder)
  .sort()
  .map((file) => {
    const sql = readFileSync(path.join(folder, file), 'utf8').trim();
    const question = /^-- (.*)/.exec(sql)?.[1];
    if (question === undefined) {
      throw new Error(`lib/athena/${file} must begin with its question: -- What …?`);
    }
    return { name: path.basename(file, '.sql'), question, sql };
  });
