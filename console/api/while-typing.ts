import { useEffect, useState } from 'preact/hooks';
import { useSignedIn } from '../app/session.ts';
import { type Failure, failureOf } from './failure.ts';

/** Longer than between two keys. */
const PAUSE_MS = 500;

interface WhileTyping<Body> {
  /** What was told last, or why nothing was. */
  readonly body?: Body;
  readonly failure?: Failure;
  /** Whether that is about what is typed now. */
  readonly isCurrent: boolean;
}

/**
 * What the API says of something that is being typed: asked after a pause, and taken back when it changes.
 *
 * @param asked the body of the request; undefined: nothing is asked
 */
export function useWhileTyping<Body>(path: string, asked: object | undefined): WhileTyping<Body> {
  const { api } = useSignedIn();
  const [told, setTold] = useState<{
    readonly of: string;
    readonly body?: Body;
    readonly failure?: Failure;
  }>();
  const wanted = asked && JSON.stringify(asked);
  useEffect(() => {
    if (wanted === undefined) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    const timer = setTimeout(() => {
      api.request<Body>('POST', path, { body: asked, signal }).then(
        ({ body }) => signal.aborted || setTold({ of: wanted, body }),
        (error) => signal.aborted || setTold({ of: wanted, failure: failureOf(error) }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [wanted]);
  return { ...told, isCurrent: told !== undefined && told.of === wanted };
}
