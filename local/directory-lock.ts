import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExplainedError } from './explained-error.ts';

/**
 * Takes a directory for this process; answers how to give it back. What a process that is gone has left locked is taken over.
 *
 * @throws ExplainedError when another process has it
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const file = join(directory, 'locked-by');
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
    const owner = Number(await readFile(file, 'utf8').catch(() => '0'));
    if (isAlive(owner)) {
      throw new ExplainedError(
        `A local stack is already running (process ${owner}, ${file}). Stop that one first.`,
      );
    }
    await rm(file, { force: true });
    return lockDirectory(directory);
  }
  return () => rm(file, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
