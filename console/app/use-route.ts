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

/**
 * Replaces a screen's address by what it becomes, from what it is now: a link that was just followed is in
 * the address before the screen shows it. Does nothing if the address already names another screen.
 */
export function amend<Screen extends Route['screen']>(
  screen: Screen,
  change: (now: Extract<Route, { readonly screen: Screen }>) => Route,
): void {
  const now = routeOf(location.hash);
  if (isOf(screen, now)) replace(change(now));
}

function isOf<Screen extends Route['screen']>(
  screen: Screen,
  route: Route,
): route is Extract<Route, { readonly screen: Screen }> {
  return route.screen === screen;
}
