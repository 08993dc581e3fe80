import { type Failure, failureOf, waitAfter } from './failure.ts';

export interface Polled<Answer> {
  /** Asks once. @throws FailedRequestError */
  readonly ask: (signal: AbortSignal) => Promise<Answer>;
  readonly answered: (answer: Answer) => void;
  /** @param failure undefined: the latest request did not fail */
  readonly failed: (failure: Failure | undefined) => void;
  /** From the end of one request to the beginning of the next; undefined: ask once. */
  readonly everyMs: number | undefined;
}

export interface Poller {
  /** Asks now, or as soon as the request that is under way has ended. */
  readonly refresh: () => void;
  /** What was changed is known: the answer to a request that began before is older, and is dropped. */
  readonly supersede: () => void;
  /** The page is seen again. */
  readonly seen: () => void;
  readonly stop: () => void;
}

/**
 * Asks again and again while the page is seen, more slowly while it fails, and not before the API says so.
 *
 * @param polled as it is then
 */
export function poller<Answer>(polled: () => Polled<Answer>, isHidden: () => boolean): Poller {
  const stopped = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  let isOutdated = false;
  /** Something is to be asked that was not. */
  let isOwed = false;
  let failures = 0;
  let notBeforeMs = 0;

  const after = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(ask, ms);
  };
  const ask = async () => {
    clearTimeout(timer);
    isOwed = isAsking || isHidden();
    if (isOwed) return;
    isAsking = true;
    isOutdated = false;
    const next = await polled()
      .ask(stopped.signal)
      .then(
        (answer) => {
          if (stopped.signal.aborted) return undefined;
          failures = 0;
          if (!isOutdated) polled().answered(answer);
          polled().failed(undefined);
          return polled().everyMs;
        },
        (error) => {
          if (stopped.signal.aborted) return undefined;
          const failure = failureOf(error);
          polled().failed(failure);
          // Signing in again begins anew.
          if (failure.kind === 'signed_out') return undefined;
          failures += 1;
          const wait = waitAfter(failure, failures);
          notBeforeMs = Date.now() + wait;
          return wait;
        },
      );
    isAsking = false;
    if (stopped.signal.aborted) return;
    if (isOwed) after(0);
    else if (next !== undefined) after(next);
  };
  after(0);
  return {
    refresh: () => after(0),
    supersede: () => {
      isOutdated = true;
    },
    seen: () => {
      if (!isHidden() && (isOwed || polled().everyMs !== undefined)) {
        after(Math.max(0, notBeforeMs - Date.now()));
      }
    },
    stop: () => {
      stopped.abort();
      clearTimeout(timer);
    },
  };
}
