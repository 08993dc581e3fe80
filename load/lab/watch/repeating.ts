import { setTimeout as delay } from 'node:timers/promises';

/** Does it again and again, with a pause between, until it is stopped; `failed` rejects when it could not. */
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
