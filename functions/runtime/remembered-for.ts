import { setTimeout as timeout } from 'node:timers/promises';

/**
 * Asks at most once in a number of milliseconds: all who ask in between get the same answer. Failures are not
 * kept.
 */
export function rememberedFor<Value>(
  ms: number,
  ask: () => Promise<Value>,
  now: () => number,
): () => Promise<Value> {
  let known: { readonly untilMs: number; readonly value: Promise<Value> } | undefined;
  return () => {
    if (known === undefined || now() >= known.untilMs) {
      const value = ask();
      const mine = { untilMs: now() + ms, value };
      known = mine;
      value.catch(() => {
        if (known === mine) {
          known = undefined;
        }
      });
    }
    return known.value;
  };
}

/**
 * Resolves after `ms` and keeps the process alive meanwhile: Lambda ends an invocation whose event loop is
 * empty, even if it still has something to write.
 */
export function sleep(ms: number): Promise<void> {
  return timeout(ms);
}
