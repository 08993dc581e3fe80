import { useLayoutEffect, useState } from 'preact/hooks';
import { type Failure, failureOf, mayPass } from '../api/failure.ts';
import { exchange } from './credentials.ts';
import { codeIn } from './route.ts';
import { takeFromTabs } from './session.ts';

let opened: string | undefined;
let tell = (code: string) => {
  opened = code;
};

/**
 * Takes the code of a link out of the address before anything else sees it: it must not stay in the history
 * of the browser, and is no screen.
 */
export function takeLinks(): void {
  const take = (before: string | undefined) => {
    const code = codeIn(location.hash);
    if (code === undefined) return;
    history.replaceState(null, '', before || '#/subscriptions');
    tell(code);
  };
  take(undefined);
  addEventListener('hashchange', (event) => take(URL.parse(event.oldURL)?.hash));
}

/** A link that was opened, until it has signed somebody in. */
export interface Link {
  readonly isUnderWay: boolean;
  readonly failure: Failure | undefined;
  /** Undefined where it is of no use: the link works no more. */
  readonly again: (() => void) | undefined;
  readonly forget: () => void;
}

export function useLink(): Link {
  const [{ code, failure }, setState] = useState<{ code?: string; failure?: Failure }>(() =>
    opened === undefined ? {} : { code: opened },
  );
  const open = (code: string) => {
    setState({ code });
    exchange(code).then(
      () => setState({}),
      (error) => {
        const failure = failureOf(error);
        // Another one may have been opened since.
        setState((latest) => (latest.code === code ? { code, failure } : latest));
        takeFromTabs();
      },
    );
  };
  useLayoutEffect(() => {
    tell = open;
    if (code !== undefined) open(code);
    // Not before a link has failed: it would end the session of the other tab.
    else takeFromTabs();
  }, []);
  return {
    isUnderWay: code !== undefined && failure === undefined,
    failure,
    again: code !== undefined && failure !== undefined && mayPass(failure) ? () => open(code) : undefined,
    forget: () => setState({}),
  };
}
