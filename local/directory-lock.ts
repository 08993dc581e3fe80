import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExplainedError } from '../cli/terminal/explained-error.ts';

/**
 * Locks a directory for this process and returns a function that unlocks it. Takes over the lock of a dead
 * process.
 *
 * @throws ExplainedError when another process holds the lock, or is taking it over
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const file = join(directory, 'locked-by');
  if (!(await claim(file))) {
    await deadOwner(file);
    await takeOver(file);
  }
  return () => rm(file, { force: true });
}

/** One process at a time: otherwise, after reading a dead owner, it might remove the file of a new one. */
async function takeOver(file: string): Promise<void> {
  const turn = `${file}.taking-over`;
  if (!(await claim(turn))) {
    throw new ExplainedError(
      `Another process (${await ownerOf(turn)}) is taking over ${file}. If there is no such process, remove ${turn}.`,
    );
  }
  try {
    // If the lock was released meanwhile, the file may now be another process's.
    if ((await deadOwner(file)) !== undefined) {
      await rm(file);
    }
    if (!(await claim(file))) {
      throw alreadyRunning(file, await ownerOf(file));
    }
  } finally {
    await rm(turn, { force: true });
  }
}

/** Creates the file, complete with this process's id. False if it exists. */
async function claim(file: string): Promise<boolean> {
  const whole = `${file}.${randomUUID()}`;
  try {
    await writeFile(whole, String(process.pid));
    await link(whole, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return false;
    }
    throw error;
  } finally {
    await rm(whole, { force: true });
  }
}

/**
 * The process id of a dead owner; undefined without an owner.
 *
 * @throws ExplainedError when the owner is alive
 */
async function deadOwner(file: string): Promise<number | undefined> {
  const owner = await ownerOf(file);
  if (owner !== undefined && isAlive(owner)) {
    throw alreadyRunning(file, owner);
  }
  return owner;
}

async function ownerOf(file: string): Promise<number | undefined> {
  try {
    return Number(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function alreadyRunning(file: string, owner: number | undefined): ExplainedError {
  return new ExplainedError(
    `A local stack is already running (process ${owner}, ${file}). Stop that one first.`,
  );
}
