import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useSignedIn } from '../app/session.ts';
import type { ApiClient } from './client.ts';
import { type Failure, failureOf } from './failure.ts';
import { type Answer, cancel, type Interval, liveQuery, observerOf, put } from './queries.ts';

export interface Live<Body> {
  /** Undefined until the first answer; stays while later requests fail. */
  readonly data: Body | undefined;
  readonly etag: string | undefined;
  /** Of the latest request. */
  readonly failure: Failure | undefined;
  readonly refresh: () => void;
  /** Shows what a change has answered, before it is read again. */
  readonly put: (body: Body, etag?: string) => void;
}

/** What has been read. */
export type Found<Body> = Live<Body> & { readonly data: Body };

/**
 * What is at a path of the API, kept up to date.
 *
 * @param path undefined: nothing is read
 * @param read @default - the path
 */
export function useLive<Body>(
  path: string | undefined,
  every?: Interval<Body>,
  read = (api: ApiClient, of: string, signal: AbortSignal): Promise<Answer<Body>> =>
    api.request<Body>('GET', of, { signal }),
): Live<Body> {
  const { api } = useSignedIn();
  const query = liveQuery<Body>(path, every, (of, signal) => read(api, of, signal));
  const [observer] = useState(() => observerOf(query));
  const [, redraw] = useState<unknown>();
  useLayoutEffect(() => observer.setOptions(query));
  useLayoutEffect(() => observer.subscribe(redraw), []);
  const { data, failureReason, isFetching } = observer.getOptimisticResult(query);
  // Shown until the next request succeeds, also while it is under way.
  const failed = useRef({ path, reason: failureReason });
  if (failureReason !== null || !isFetching || failed.current.path !== path) {
    failed.current = { path, reason: failureReason };
  }
  const { reason } = failed.current;
  return {
    data: data?.body,
    etag: data?.etag,
    failure: reason === null ? undefined : failureOf(reason),
    refresh: () => {
      // Not after the wait that follows a failure.
      cancel(path);
      observer.refetch();
    },
    put: (body, etag) => {
      if (path !== undefined) put(path, { body, etag });
    },
  };
}

/** The current time, again and again: for what counts down. @param everyMs undefined: it stands still */
export function useNow(everyMs: number | undefined): number {
  const [, redraw] = useState(0);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => redraw(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  // What has been read since is drawn with the time of now, not of the last tick.
  return Date.now();
}
