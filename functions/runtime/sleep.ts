import { setTimeout as timeout } from 'node:timers/promises';

/**
 * Resolves after `ms` and keeps the process alive meanwhile: Lambda ends an invocation whose event loop is
 * empty, even if it still has something to write.
 */
export function sleep(ms: number): Promise<void> {
  return timeout(ms);
}
