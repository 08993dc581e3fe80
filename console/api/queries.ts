import {
  type DefaultedQueryObserverOptions,
  focusManager,
  type Query,
  QueryCache,
  type QueryClient,
  QueryObserver,
} from '@tanstack/query-core';
import { failureOf, waitAfter } from './failure.ts';
import { nextPace, type Pace, spend, UNTOUCHED } from './pace.ts';

export interface Answer<Body> {
  readonly body: Body;
  /** To be sent back with a change, so that it is refused if somebody else was quicker. */
  readonly etag: string | undefined;
  /** Whose data it is, where the API tells. */
  readonly service?: string | undefined;
  /** How many requests it took. @default 1 */
  readonly requests?: number;
}

/** What was read lately, so that going back shows it at once. */
const cache = new QueryCache();

/** All that queries and observers ask of the library's client, which brings mutations along: 2 kB of the page. */
const client = {
  getQueryCache: () => cache,
  getQueryDefaults: () => ({}),
  // Each has all of its options: see `liveQuery`.
  defaultQueryOptions: (options: unknown) => options,
} as unknown as QueryClient;

// Reads again when the page is seen again.
focusManager.subscribe((isSeen) => {
  if (isSeen) cache.onFocus();
});

/** The fastest: from one request to the next, in milliseconds (see pace.ts); undefined: it is read once. */
export type Interval<Body> = undefined | number | ((body: Body | undefined) => number);

type Read = Pick<Query<Answer<unknown>>, 'state'>;
const paces = new WeakMap<Read, Pace & { readonly count: number }>();
let allowance = UNTOUCHED;

/** The same for as long as nothing new was read: another number would begin the wait anew. */
function paced(query: Read, everyMs: number): number {
  const { data, dataUpdateCount: count } = query.state;
  let pace = paces.get(query);
  if (pace?.count !== count) {
    const nowMs = Date.now();
    // The first request of all shows the screen.
    allowance = spend(allowance, (data?.requests ?? 1) - (count > 1 ? 0 : 1), nowMs);
    const observers = cache.findAll({ type: 'active' }).flatMap((one) => one.observers);
    const things = observers.filter(({ options }) => options.refetchInterval).length;
    pace = { ...nextPace(pace, data?.body, nowMs, allowance, things), count };
    paces.set(query, pace);
  }
  return Math.max(everyMs, pace.restMs);
}

type LiveQuery<Body> = DefaultedQueryObserverOptions<Answer<Body>>;

/**
 * While the page is hidden, nothing is read again. A failed request is repeated until it succeeds, more slowly
 * each time, and not before the API says so.
 *
 * @param path undefined: nothing is read
 */
export function liveQuery<Body>(
  path: string | undefined,
  every: Interval<Body>,
  read: (path: string, signal: AbortSignal) => Promise<Answer<Body>>,
): LiveQuery<Body> {
  return {
    _defaulted: true,
    queryKey: [path],
    queryHash: path ?? '',
    enabled: path !== undefined,
    queryFn: ({ signal }) => read(path as string, signal),
    // Being offline is shown like any other failure.
    networkMode: 'always',
    refetchOnReconnect: false,
    throwOnError: false,
    retry: (_, error) => failureOf(error).kind !== 'signed_out',
    retryDelay: (failures, error) => waitAfter(failureOf(error), failures + 1),
    refetchInterval:
      every !== undefined &&
      ((query) =>
        query.state.status !== 'error' &&
        paced(query, typeof every === 'function' ? every(query.state.data?.body) : every)),
    refetchOnWindowFocus: every !== undefined,
  };
}

export function observerOf<Body>(query: LiveQuery<Body>) {
  return new QueryObserver<Answer<Body>>(client, query);
}

/** What was last read at a path. */
export function known<Body>(path: string): Body | undefined {
  return cache.get<Answer<Body>>(path)?.state.data?.body;
}

/** Shows what a change has answered. The answer to a request that began before is older, and is dropped. */
export function put<Body>(path: string, answer: Answer<Body>): void {
  cancel(path);
  cache
    .build<Answer<Body>, Error>(client, { queryKey: [path], queryHash: path })
    .setData(answer, { manual: true });
}

/** Ends the request that is under way, or the wait after one that failed. */
export function cancel(path: string | undefined): void {
  cache.get(path ?? '')?.cancel({ revert: true });
}

/** What is shown is read again, also what is under way. */
export function readAgain(): void {
  for (const query of cache.findAll({ type: 'active' })) {
    query.fetch(undefined, { cancelRefetch: true }).catch(() => {});
  }
}

export function forgetAll(): void {
  cache.clear();
}
