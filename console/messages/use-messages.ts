import { useRef, useState } from 'preact/hooks';
import { type Failure, failureOf } from '../api/failure.ts';
import { remember, remembered } from '../api/live.ts';
import { usePolling } from '../api/polling.ts';
import { type MessageFilter, queryOf } from '../app/route.ts';
import { useSignedIn } from '../app/session.ts';
import { subscriptionPath } from '../subscriptions/subscription.ts';
import { againUntil, type Listed, type Page, withAgain, withNews, withOlder } from './merge.ts';

const LOOK_EVERY_MS = 3_000;
const PAGE = 50;
/** A request looks at a thousand messages: with a filter it may find none, and there may still be some. */
const MAX_EMPTY_PAGES = 5;

export interface Messages {
  readonly listed: Listed | undefined;
  /** Those that came while the viewer looked. */
  readonly arrived: ReadonlySet<string>;
  readonly failure: Failure | undefined;
  readonly refresh: () => void;
  readonly more: () => void;
  readonly isReadingMore: boolean;
}

interface Shown {
  readonly path: string;
  readonly listed?: Listed;
  readonly arrived: ReadonlySet<string>;
}

interface Read {
  readonly newest: Page;
  /** Older ones once more, which were accepted before `until`. */
  readonly again?: { readonly page: Page; readonly until: string };
}

/**
 * The messages of a subscription, with new ones as they come. Whoever comes back finds those that were
 * listed.
 *
 * @param isLive false: only when asked
 */
export function useMessages(subscriptionId: string, filter: MessageFilter, isLive: boolean): Messages {
  const { api, generation } = useSignedIn();
  const base = `${subscriptionPath(subscriptionId)}/messages`;
  const path = `${base}${queryOf({ limit: String(PAGE), ...filter })}`;
  const [state, become] = useState<Shown>({ path, arrived: new Set() });
  const [failure, fail] = useState<Failure>();
  const [isReadingMore, readMore] = useState(false);
  const current = state.path === path && state.listed !== undefined ? state : comeBack(path);
  const latest = useRef(current);
  latest.current = current;
  const lastAgain = useRef<string | undefined>(undefined);

  const show = (listed: Listed, arrived = latest.current.arrived) => {
    latest.current = { path, listed, arrived };
    remember(placeOf(path), { body: listed, etag: undefined });
    become(latest.current);
  };
  const read = async (parameters: Parameters<typeof queryOf>[0], signal?: AbortSignal) => {
    const query = queryOf({ limit: String(PAGE), ...filter, ...parameters });
    return (await api.request<Page>('GET', `${base}${query}`, signal && { signal })).body;
  };

  const { refresh } = usePolling<Read>(
    {
      everyMs: isLive ? LOOK_EVERY_MS : undefined,
      async ask(signal) {
        const newest = await read({}, signal);
        const { listed } = latest.current;
        const until = listed && againUntil(listed, PAGE, lastAgain.current);
        if (until === undefined) return { newest };
        lastAgain.current = until;
        return { newest, again: { page: await read({ until }, signal), until } };
      },
      answered({ newest, again }) {
        const { listed } = latest.current;
        const known = new Set(listed?.messages.map(({ message_id }) => message_id));
        const news =
          listed === undefined ? [] : newest.messages.filter(({ message_id }) => !known.has(message_id));
        const next = withNews(listed && again ? withAgain(listed, again.page, again.until) : listed, newest);
        show(next, news.length === 0 ? undefined : new Set(news.map(({ message_id }) => message_id)));
      },
      failed: fail,
    },
    [path, generation, isLive],
  );

  const more = async () => {
    readMore(true);
    try {
      for (let page = 0; page < MAX_EMPTY_PAGES; page += 1) {
        const next = latest.current.listed?.next;
        if (next === undefined) break;
        const older = await read(next);
        const { listed } = latest.current;
        if (latest.current.path !== path || listed === undefined) break;
        show(withOlder(listed, older));
        if (older.messages.length > 0) break;
      }
    } catch (error) {
      fail(failureOf(error));
    }
    readMore(false);
  };

  return { listed: current.listed, arrived: current.arrived, failure, refresh, more, isReadingMore };
}

/** What was listed when the viewer left. */
function comeBack(path: string): Shown {
  const listed = remembered(placeOf(path))?.body as Listed | undefined;
  return { path, arrived: new Set(), ...(listed === undefined ? {} : { listed }) };
}

/** Not the path itself: what is remembered of that is a page. */
function placeOf(path: string): string {
  return `list of ${path}`;
}
