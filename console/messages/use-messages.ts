import { useRef, useState } from 'preact/hooks';
import { againUntil, isNews, readDownTo } from '../../functions/core/message/follow.ts';
import { type Failure, failureOf } from '../api/failure.ts';
import { type Live, useLive } from '../api/live.ts';
import { known } from '../api/queries.ts';
import { type MessageFilter, queryOf } from '../app/route.ts';
import { useSignedIn } from '../app/session.ts';
import { subscriptionPath } from '../subscriptions/subscription.ts';
import { addedTo, type Listed, MAX_LISTED, type Page, withAgain, withNews, withOlder } from './merge.ts';

const LOOK_EVERY_MS = 3_000;
const PAGE = 100;
/** A request looks at a thousand messages: with a filter it may find none, and there may still be some. */
const MAX_EMPTY_PAGES = 5;

export interface Messages {
  readonly live: Pick<Live<Listed>, 'data' | 'failure' | 'refresh'>;
  /** Those that came while the viewer looked. */
  readonly arrived: ReadonlySet<string>;
  /** More came than is listed. */
  readonly isMore: boolean;
  readonly more: () => void;
  readonly isReadingMore: boolean;
}

/** What came while the viewer looked at this path. */
interface News {
  readonly path: string;
  readonly arrived: ReadonlySet<string>;
  readonly isMore: boolean;
}

/**
 * The messages of a subscription, with new ones as they come. Whoever comes back finds those that were
 * listed.
 *
 * @param isLive false: only when asked
 */
export function useMessages(subscriptionId: string, filter: MessageFilter, isLive: boolean): Messages {
  const { api } = useSignedIn();
  const base = `${subscriptionPath(subscriptionId)}/messages`;
  // Not a path of the API: what is read of that is a page.
  const path = `list of ${base}${queryOf({ ...filter })}`;
  const [news, setNews] = useState<News>();
  const [moreFailure, setMoreFailure] = useState<Failure>();
  const [isReadingMore, setReadingMore] = useState(false);
  const readTo = useRef<string | undefined>(undefined);
  const readPage = async (parameters: Parameters<typeof queryOf>[0], signal?: AbortSignal) => {
    const query = queryOf({ limit: String(PAGE), ...filter, ...parameters });
    return (await api.request<Page>('GET', `${base}${query}`, signal && { signal })).body;
  };

  const live = useLive<Listed>(path, isLive ? LOOK_EVERY_MS : undefined, async (_api, _path, signal) => {
    const listed = known<Listed>(path);
    let requests = 0;
    const read = (parameters: Parameters<typeof queryOf>[0]) => {
      requests += 1;
      return readPage(parameters, signal);
    };
    const newest = await readNews(listed, (cursor) => read({ cursor }));
    let next = withNews(listed, newest);
    const top = newest.messages.at(-1)?.admitted_at;
    if (listed !== undefined && top !== undefined && newest.next_cursor !== undefined) {
      const until = againUntil(listed.messages, top, readTo.current);
      if (until !== undefined) {
        const page = await read({ until });
        readTo.current = readDownTo(page, until);
        next = withNews(withAgain(listed, page, until), newest);
      }
    }
    const added = listed === undefined ? [] : addedTo(listed, next);
    if (added.length > 0) {
      const isMore = added.length === next.messages.length && next.next !== undefined;
      setNews({ path, arrived: new Set(added.map(({ message_id }) => message_id)), isMore });
    }
    return { body: next, etag: undefined, requests };
  });

  const more = async () => {
    setReadingMore(true);
    setMoreFailure(undefined);
    try {
      for (let page = 0; page < MAX_EMPTY_PAGES; page += 1) {
        const next = known<Listed>(path)?.next;
        if (next === undefined) break;
        const older = await readPage(next);
        const listed = known<Listed>(path);
        if (listed === undefined) break;
        live.put(withOlder(listed, older));
        if (older.messages.length > 0) break;
      }
    } catch (error) {
      setMoreFailure(failureOf(error));
    }
    setReadingMore(false);
  };

  return {
    live: { ...live, failure: live.failure ?? moreFailure },
    arrived: news?.path === path ? news.arrived : new Set(),
    isMore: news?.path === path && news.isMore,
    more,
    isReadingMore,
  };
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
