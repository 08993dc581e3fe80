import { setTimeout as timeout } from 'node:timers/promises';

/**
 * Resolves after so many ms. Keeps the process alive meanwhile: a Lambda whose event loop is empty is ended there and then, however much it still
 * had to write.
 */
export function sleep(ms: number): Promise<void> {
  return timeout(ms);
}
