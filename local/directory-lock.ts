import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ExplainedError } from '../cli/terminal/explanation.ts';

const SQLITE_BUSY = 5;

/** A lock that nobody refers to would be collected, and collecting a database closes it. */
const held = new Set<DatabaseSync>();

/**
 * Locks a directory for this process, whether or not the caller keeps the function it returns, which unlocks it.
 * SQLite's lock of an empty database: the operating system takes it from a process that dies.
 *
 * @throws ExplainedError when another process holds the lock
 */
export function lockDirectory(directory: string): () => void {
  const lock = new DatabaseSync(join(directory, 'lock'));
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) {
      throw new ExplainedError(`A local stack is already running in ${directory}. Stop that one first.`);
    }
    throw error;
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.close();
  };
}
