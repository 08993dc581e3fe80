import { useLayoutEffect, useState } from 'preact/hooks';
import { hrefOf, type Route, routeOf } from './route.ts';

/** The screen that the address names, now and whenever it changes. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  // Before the browser draws: an effect after that may miss a change.
  useLayoutEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return routeOf(hash);
}

export function go(route: Route): void {
  location.hash = hrefOf(route);
}

/** Changes the address without a step for the back button: what was typed into a filter. */
export function replace(route: Route): void {
  history.replaceState(null, '', hrefOf(route));
  dispatchEvent(new HashChangeEvent('hashchange'));
}
