import { useRef, useState } from 'preact/hooks';
import { type Failure, failureOf } from '../api/failure.ts';
import { usePolling } from '../api/polling.ts';
import { type MessageFilter, queryOf } from '../app/route.ts';
import { useSignedIn } from '../app/session.ts';
import { subscriptionPath } from '../subscriptions/subscription.ts';
import { type Listed, type Page, withNews, withOlder } from './merge.ts';

const LOOK_EVERY_MS = 3_000;
const PAGE = '50';
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

/** The messages of a subscription, with new ones as they come. @param isLive false: only when asked */
export function useMessages(subscriptionId: string, filter: MessageFilter, isLive: boolean): Messages {
  const { api, generation } = useSignedIn();
  const base = `${subscriptionPath(subscriptionId)}/messages`;
  const path = `${base}${queryOf({ limit: PAGE, ...filter })}`;
  const [state, become] = useState<{ path: string; listed?: Listed; arrived: ReadonlySet<string> }>({
    path,
    arrived: new Set(),
  });
  const [failure, fail] = useState<Failure>();
  const [isReadingMore, readMore] = useState(false);
  const current = state.path === path ? state : { path, arrived: new Set<string>() };
  const latest = useRef(current);
  latest.current = current;

  const refresh = usePolling(
    {
      everyMs: isLive ? LOOK_EVERY_MS : undefined,
      async ask(signal) {
        const { body } = await api.request<Page>('GET', path, { signal });
        const { listed, arrived } = latest.current;
        const known = new Set(listed?.messages.map(({ message_id }) => message_id));
        const news =
          listed === undefined ? [] : body.messages.filter(({ message_id }) => !known.has(message_id));
        const next = withNews(listed, body);
        become({
          path,
          listed: next,
          arrived: news.length === 0 ? arrived : new Set(news.map(({ message_id }) => message_id)),
        });
      },
      failed: fail,
    },
    [path, generation, isLive],
  );

  const more = async () => {
    readMore(true);
    try {
      for (let page = 0; page < MAX_EMPTY_PAGES; page += 1) {
        const { listed } = latest.current;
        if (listed?.cursor === undefined) break;
        const { body } = await api.request<Page>(
          'GET',
          `${path}&cursor=${encodeURIComponent(listed.cursor)}`,
        );
        if (latest.current.path !== path) break;
        latest.current = { ...latest.current, listed: withOlder(latest.current.listed ?? listed, body) };
        become(latest.current);
        if (body.messages.length > 0) break;
      }
    } catch (error) {
      fail(failureOf(error));
    }
    readMore(false);
  };

  return { listed: current.listed, arrived: current.arrived, failure, refresh, more, isReadingMore };
}
