import { useRef, useState } from 'preact/hooks';
import { againUntil, isNews, readDownTo } from '../../functions/core/message/follow.ts';
import { type Failure, failureOf } from '../api/failure.ts';
import { remember, remembered } from '../api/live.ts';
import { usePolling } from '../api/polling.ts';
import { type MessageFilter, queryOf } from '../app/route.ts';
import { useSignedIn } from '../app/session.ts';
import { subscriptionPath } from '../subscriptions/subscription.ts';
import { addedTo, type Listed, MAX_LISTED, type Page, withAgain, withNews, withOlder } from './merge.ts';

const LOOK_EVERY_MS = 3_000;
const PAGE = 50;
/** A request looks at a thousand messages: with a filter it may find none, and there may still be some. */
const MAX_EMPTY_PAGES = 5;

export interface Messages {
  readonly listed: Listed | undefined;
  /** Those that came while the viewer looked. */
  readonly arrived: ReadonlySet<string>;
  /** More came than is listed. */
  readonly isMore: boolean;
  readonly failure: Failure | undefined;
  readonly refresh: () => void;
  readonly more: () => void;
  readonly isReadingMore: boolean;
}

interface Shown {
  readonly path: string;
  readonly listed?: Listed;
  readonly arrived: ReadonlySet<string>;
  readonly isMore: boolean;
}

interface Read {
  /** As many pages as told something new, as one. */
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
  const [state, become] = useState<Shown>({ path, arrived: new Set(), isMore: false });
  const [failure, fail] = useState<Failure>();
  const [isReadingMore, readMore] = useState(false);
  const current = state.path === path && state.listed !== undefined ? state : comeBack(path);
  const latest = useRef(current);
  latest.current = current;
  const readTo = useRef<string | undefined>(undefined);

  const show = (listed: Listed, { arrived, isMore }: Omit<Shown, 'path' | 'listed'> = latest.current) => {
    latest.current = { path, listed, arrived, isMore };
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
        const { listed } = latest.current;
        const newest = await readNews(listed, (cursor) => read({ cursor }, signal));
        const top = newest.messages.at(-1)?.admitted_at;
        const until =
          listed === undefined || top === undefined || newest.next_cursor === undefined
            ? undefined
            : againUntil(listed.messages, top, readTo.current);
        if (until === undefined) return { newest };
        const page = await read({ until }, signal);
        readTo.current = readDownTo(page, until);
        return { newest, again: { page, until } };
      },
      answered({ newest, again }) {
        const { listed } = latest.current;
        const next = withNews(listed && again ? withAgain(listed, again.page, again.until) : listed, newest);
        const news = listed === undefined ? [] : addedTo(listed, next);
        const isMore = news.length === next.messages.length && next.next !== undefined;
        const arrived = new Set(news.map(({ message_id }) => message_id));
        show(next, news.length === 0 ? undefined : { arrived, isMore });
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

  const { listed, arrived, isMore } = current;
  return { listed, arrived, isMore, failure, refresh, more, isReadingMore };
}

/** The newest page, and those behind it as long as they tell something new, as one. */
async function readNews(
  listed: Listed | undefined,
  read: (cursor: string | undefined) => Promise<Page>,
): Promise<Page> {
  const known = new Map(listed?.messages.map((message) => [message.message_id, message]));
  let messages: Page['messages'] = [];
  let page: Page;
  let cursor: string | undefined;
  do {
    page = await read(cursor);
    messages = [...messages, ...page.messages];
    cursor = page.next_cursor;
  } while (
    listed !== undefined &&
    cursor !== undefined &&
    messages.length < MAX_LISTED &&
    page.messages.some((message) => isNews(message, known.get(message.message_id)))
  );
  return { messages, ...(cursor === undefined ? {} : { next_cursor: cursor }) };
}

/** What was listed when the viewer left. */
function comeBack(path: string): Shown {
  const listed = remembered(placeOf(path))?.body as Listed | undefined;
  return { path, arrived: new Set(), isMore: false, ...(listed === undefined ? {} : { listed }) };
}

/** Not the path itself: what is remembered of that is a page. */
function placeOf(path: string): string {
  return `list of ${path}`;
}
