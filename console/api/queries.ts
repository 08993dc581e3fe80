import { type Query, QueryClient, type QueryObserverOptions } from '@tanstack/query-core';
import { failureOf, waitAfter } from './failure.ts';
import { nextPace, type Pace } from './pace.ts';

export interface Answer<Body> {
  readonly body: Body;
  /** To be sent back with a change, so that it is refused if somebody else was quicker. */
  readonly etag: string | undefined;
  /** Whose data it is, where the API tells. */
  readonly service?: string | undefined;
}

/**
 * What was read lately, so that going back shows it at once. While the page is hidden, nothing is read again.
 * A failed request is repeated until it succeeds, more slowly each time, and not before the API says so.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // Being offline is shown like any other failure.
      networkMode: 'always',
      // Signing in again begins anew.
      retry: (_, error) => failureOf(error).kind !== 'signed_out',
      retryDelay: (failures, error) => waitAfter(failureOf(error), failures + 1),
    },
  },
});

// Reads again when the page is seen again.
queries.mount();

/** The fastest: from one request to the next, in milliseconds (see pace.ts); undefined: it is read once. */
export type Interval<Body> = undefined | number | ((body: Body | undefined) => number);

type Read = Pick<Query, 'state'>;
const paces = new WeakMap<Read, Pace & { readonly count: number; readonly everyMs: number }>();

/** The same for as long as nothing new was read: another number would begin the wait anew. */
function paced(query: Read, everyMs: number): number {
  const { data, dataUpdateCount: count } = query.state;
  const before = paces.get(query);
  if (before?.count === count && before.everyMs === everyMs) return before.waitMs;
  const pace = nextPace(before, data, everyMs, Date.now());
  paces.set(query, { ...pace, count, everyMs });
  return pace.waitMs;
}

/** @param path undefined: nothing is read */
export function liveQuery<Body>(
  path: string | undefined,
  every: Interval<Body>,
  read: (path: string, signal: AbortSignal) => Promise<Answer<Body>>,
): QueryObserverOptions<Answer<Body>> {
  return {
    queryKey: [path],
    enabled: path !== undefined,
    queryFn: ({ signal }) => read(path as string, signal),
    refetchInterval: (query) => {
      if (query.state.status === 'error' || every === undefined) return false;
      return paced(query, typeof every === 'function' ? every(query.state.data?.body) : every);
    },
    refetchOnWindowFocus: every !== undefined,
  };
}

/** What was last read at a path. */
export function known<Body>(path: string): Body | undefined {
  return queries.getQueryData<Answer<Body>>([path])?.body;
}

/** Shows what a change has answered. The answer to a request that began before is older, and is dropped. */
export function put<Body>(path: string, answer: Answer<Body>): void {
  queries.cancelQueries({ queryKey: [path] });
  queries.setQueryData<Answer<Body>>([path], answer);
}
