import { setTimeout as delay } from 'node:timers/promises';

/** Repeats the work, with a pause between, until stopped. `failed` rejects when the work does. */
export function repeating(work: () => Promise<void>, sleepMs: number) {
  const stopped = new AbortController();
  const all = (async () => {
    while (!stopped.signal.aborted) {
      await work();
      await delay(sleepMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  })();
  const failed = new Promise<never>((_, reject) => all.catch(reject));
  failed.catch(() => {});
  return {
    failed,
    async stop(): Promise<void> {
      stopped.abort();
      await all;
    },
  };
}
