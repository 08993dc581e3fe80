import { setTimeout as delay } from 'node:timers/promises';

/** Reads until there are as many as wanted, or nothing new has come for as long as the patience lasts; answers the last reading. */
export async function readUntil<T>(
  wanted: number,
  read: () => Promise<readonly T[]>,
  { patienceMs, pauseMs }: { readonly patienceMs: number; readonly pauseMs: number },
): Promise<readonly T[]> {
  let most = -1;
  let changedAtMs = performance.now();
  for (;;) {
    const now = await read();
    if (now.length > most) {
      changedAtMs = performance.now();
      most = now.length;
    }
    if (now.length >= wanted || performance.now() - changedAtMs >= patienceMs) {
      return now;
    }
    await delay(pauseMs);
  }
}
