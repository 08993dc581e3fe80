import { useEffect, useRef, useState } from 'preact/hooks';
import type { RecoveryPreview } from '../../functions/core/message/recovery-preview.ts';
import { type Failure, failureOf } from '../api/failure.ts';
import { useSignedIn } from '../app/session.ts';
import { subscriptionPath } from '../subscriptions/subscription.ts';
import { added, type Kind, requestOf, type Selection } from './selection.ts';

/** Each looks at some thousand messages at most. Beyond them it is said that there are more. */
const MAX_REQUESTS = 20;

export interface Found {
  readonly selection: Selection;
  readonly count: number;
  /** By event type and state, most first. */
  readonly kinds: readonly Kind[];
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
    const path = `${subscriptionPath(subscriptionId)}/recoveries/preview`;
    const kinds: Kind[] = [];
    let since: string | undefined = selection.since;
    for (let left = MAX_REQUESTS; since !== undefined && left > 0; left -= 1) {
      const body = { ...requestOf(selection), since };
      const answer: { body: RecoveryPreview } = await api.request('POST', path, { body, signal });
      kinds.push(...answer.body.found);
      since = answer.body.continue_since;
    }
    return { selection, ...added(kinds), isMore: since !== undefined };
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
