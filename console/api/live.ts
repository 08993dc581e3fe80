import { useEffect, useState } from 'preact/hooks';
import { useSignedIn } from '../app/session.ts';
import type { Answer, ApiClient } from './client.ts';
import type { Failure } from './failure.ts';
import { usePolling } from './polling.ts';

interface Known {
  readonly body: unknown;
  readonly etag: string | undefined;
}

/** What was last read, so that going back shows it at once. Forgotten when somebody signs out. */
const known = new Map<string, Known>();
const MAX_KNOWN = 200;

export function forgetEverything(): void {
  known.clear();
}

export function remember(path: string, answer: Known): void {
  known.delete(path);
  known.set(path, answer);
  if (known.size > MAX_KNOWN) {
    known.delete(known.keys().next().value as string);
  }
}

export function remembered(path: string): Known | undefined {
  return known.get(path);
}

export interface Live<Body> {
  /** Undefined until the first answer; stays while later requests fail. */
  readonly data: Body | undefined;
  readonly etag: string | undefined;
  /** Of the latest request. */
  readonly failure: Failure | undefined;
  readonly refresh: () => void;
  /** Shows what a change has answered, before it is read again. */
  readonly put: (body: Body, etag: string | undefined) => void;
}

/**
 * What is at a path of the API, kept up to date.
 *
 * @param path undefined: nothing is read
 * @param every so many milliseconds, which may depend on what was read; undefined: it is read once
 * @param read @default - the path
 */
export function useLive<Body>(
  path: string | undefined,
  every?: number | ((body: Body | undefined) => number),
  read = (api: ApiClient, of: string, signal: AbortSignal): Promise<Answer<Body>> =>
    api.request<Body>('GET', of, { signal }),
): Live<Body> {
  const { api, generation } = useSignedIn();
  const [shown, show] = useState<{ path: string | undefined; answer?: Known; failure?: Failure }>({ path });
  const current = shown.path === path ? shown : { path };
  const answer = current.answer ?? remembered(path ?? '');
  const take = ({ body, etag }: Known) => {
    if (path !== undefined) {
      remember(path, { body, etag });
      show({ path, answer: { body, etag } });
    }
  };
  const { refresh, supersede } = usePolling<Known | undefined>(
    {
      everyMs: typeof every === 'function' ? every(answer?.body as Body | undefined) : every,
      ask: async (signal) => (path === undefined ? undefined : read(api, path, signal)),
      answered: (answered) => answered && take(answered),
      failed: (failure) =>
        show((before) =>
          before.failure === failure
            ? before
            : {
                path,
                ...(before.path === path && before.answer !== undefined ? { answer: before.answer } : {}),
                ...(failure === undefined ? {} : { failure }),
              },
        ),
    },
    [path, generation],
  );
  return {
    data: answer?.body as Body | undefined,
    etag: answer?.etag,
    failure: current.failure,
    refresh,
    put: (body, etag) => {
      supersede();
      take({ body, etag });
    },
  };
}

/** The current time, again and again: for what counts down. @param everyMs undefined: it stands still */
export function useNow(everyMs: number | undefined): number {
  const [, tell] = useState(0);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => tell(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  // What has been read since is drawn with the time of now, not of the last tick.
  return Date.now();
}
