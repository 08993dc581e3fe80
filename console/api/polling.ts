import { useEffect, useRef } from 'preact/hooks';
import { type Failure, failureOf, waitAfter } from './failure.ts';

interface Polling {
  /** Asks once. @throws FailedRequestError */
  readonly ask: (signal: AbortSignal) => Promise<void>;
  readonly failed: (failure: Failure | undefined) => void;
  /** From the end of one request to the beginning of the next; undefined: ask once. */
  readonly everyMs: number | undefined;
}

/**
 * Asks again and again while the page is seen, more slowly while it fails, and not before the API says so.
 *
 * @param what is asked: a change begins anew
 * @returns asks now
 */
export function usePolling(polling: Polling, what: readonly unknown[]): () => void {
  const latest = useRef(polling);
  latest.current = polling;
  const now = useRef(() => {});
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    let failures = 0;
    let notBeforeMs = 0;

    const after = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(ask, ms);
    };
    const ask = async () => {
      clearTimeout(timer);
      if (isAsking || document.hidden) return;
      isAsking = true;
      const next = await latest.current.ask(abort.signal).then(
        () => {
          failures = 0;
          latest.current.failed(undefined);
          return latest.current.everyMs;
        },
        (error) => {
          if (abort.signal.aborted) return undefined;
          const failure = failureOf(error);
          latest.current.failed(failure);
          // Signing in again begins anew.
          if (failure.kind === 'signed_out') return undefined;
          failures += 1;
          const wait = waitAfter(failure, failures);
          notBeforeMs = Date.now() + wait;
          return wait;
        },
      );
      isAsking = false;
      if (next !== undefined && !abort.signal.aborted) after(next);
    };
    const seen = () => {
      if (!document.hidden) after(Math.max(0, notBeforeMs - Date.now()));
    };
    now.current = () => after(0);
    document.addEventListener('visibilitychange', seen);
    after(0);
    return () => {
      abort.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, what);
  return () => now.current();
}
