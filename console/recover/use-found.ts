import { useEffect, useRef, useState } from 'preact/hooks';
import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import { type Failure, failureOf } from '../api/failure.ts';
import { queryOf } from '../app/route.ts';
import { useSignedIn } from '../app/session.ts';
import type { Page } from '../messages/merge.ts';
import { subscriptionPath } from '../subscriptions/subscription.ts';
import { isRecoverable, type Selection, statesOf } from './selection.ts';

/** Each looks at a thousand messages at most. Beyond them it is said that there are more. */
const MAX_REQUESTS = 20;

export interface Found {
  readonly selection: Selection;
  readonly messages: readonly MessageSummary[];
  /** Not everything was looked at. */
  readonly isMore: boolean;
}

/** Counts what a selection would send, before anything is sent. */
export function useFound(subscriptionId: string) {
  const { api } = useSignedIn();
  const [state, setState] = useState<{ isLooking: boolean; found?: Found; failure?: Failure }>({
    isLooking: false,
  });
  const looking = useRef(new AbortController());
  useEffect(() => () => looking.current.abort(), []);
  const begin = (isLooking: boolean) => {
    looking.current.abort();
    looking.current = new AbortController();
    setState({ isLooking });
    return looking.current.signal;
  };

  const find = async (selection: Selection, signal: AbortSignal) => {
    const { since, until, eventType: event_type } = selection;
    const messages: MessageSummary[] = [];
    let requests = 0;
    let isMore = false;
    for (const wanted of statesOf(selection)) {
      let cursor: string | undefined;
      do {
        const query = queryOf({ limit: '100', state: wanted, event_type, since, until, cursor });
        const path = `${subscriptionPath(subscriptionId)}/messages${query}`;
        const { body } = await api.request<Page>('GET', path, { signal });
        messages.push(...body.messages.filter(isRecoverable));
        cursor = body.next_cursor;
        requests += 1;
      } while (cursor !== undefined && requests < MAX_REQUESTS);
      isMore ||= cursor !== undefined;
    }
    return { selection, messages, isMore };
  };

  return {
    ...state,
    /** Ends a count that is under way: it is of a selection that nobody wants any more. */
    forget: () => begin(false),
    async look(selection: Selection) {
      const signal = begin(true);
      try {
        const found = await find(selection, signal);
        if (!signal.aborted) setState({ isLooking: false, found });
      } catch (error) {
        if (!signal.aborted) setState({ isLooking: false, failure: failureOf(error) });
      }
    },
  };
}
