import { setTimeout as delay } from 'node:timers/promises';

export interface Drain {
  /** Messages sent and neither accepted nor known to have ended. */
  waiting(): number;
  /** Looks up which of them have ended; dear, so it is asked only when nothing moves. */
  endedAmongWaiting(): Promise<number>;
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  /** @default 200 */
  readonly sleepMs?: number;
}

/** So long nothing may move before it is looked up whether what waits has ended. */
const ASK_AFTER_MS = 3_000;

/** Waits until nothing waits any more; false when nothing has changed for as long as the patience lasts. */
export async function drained({ waiting, endedAmongWaiting, patienceMs, signal, sleepMs = 200 }: Drain) {
  let least = Number.POSITIVE_INFINITY;
  let ended = 0;
  let changedAtMs = performance.now();
  let askedAtMs = changedAtMs;
  for (;;) {
    signal.throwIfAborted();
    const now = performance.now();
    if (now - changedAtMs >= ASK_AFTER_MS && now - askedAtMs >= ASK_AFTER_MS) {
      ended = await endedAmongWaiting();
      askedAtMs = performance.now();
    }
    const left = waiting() - ended;
    if (left < least) {
      least = left;
      changedAtMs = performance.now();
    }
    if (left <= 0) return true;
    if (performance.now() - changedAtMs >= patienceMs) return false;
    await delay(sleepMs, undefined, { signal }).catch(() => {});
  }
}
