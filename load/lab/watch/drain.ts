import { setTimeout as delay } from 'node:timers/promises';

interface Drain {
  /** Messages sent, and neither accepted nor known to have ended. */
  waiting(): number;
  /** Looks up how many of them have ended. Expensive, so it is called only when nothing changes. */
  endedAmongWaiting(): Promise<number>;
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  /** @default 200 */
  readonly sleepMs?: number;
}

/** Time without change before ended messages are looked up. */
const ASK_AFTER_MS = 3_000;

/** Waits until no message waits. False when nothing has changed for `patienceMs`. */
export async function waitUntilDrained({
  waiting,
  endedAmongWaiting,
  patienceMs,
  signal,
  sleepMs = 200,
}: Drain) {
  let fewest = Number.POSITIVE_INFINITY;
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
    if (left < fewest) {
      fewest = left;
      changedAtMs = performance.now();
    }
    if (left <= 0) return true;
    if (performance.now() - changedAtMs >= patienceMs) return false;
    await delay(sleepMs, undefined, { signal }).catch(() => {});
  }
}
