/** How far down each screen was when it was left, by its address. */
const places = new Map<string, number>();
const hashOf = (url: string) => new URL(url).hash;

/**
 * A link leads to the top of a screen, the back button to where one was. The browser cannot tell: at its
 * moment the next screen is not drawn yet.
 */
export function keepPlaces(): void {
  history.scrollRestoration = 'manual';
  let isLink = false;
  addEventListener('click', ({ target }) => {
    isLink = target instanceof Element && target.closest('a[href^="#"]') !== null;
  });
  addEventListener('hashchange', ({ oldURL, newURL }) => {
    // Without addresses it is a filter that has changed, on the screen that is shown.
    if (oldURL === '' || oldURL === newURL) return;
    places.set(hashOf(oldURL), scrollY);
    const place = isLink ? 0 : (places.get(hashOf(newURL)) ?? 0);
    isLink = false;
    // By then the screen is there, from what was read before, and nothing of it has been drawn.
    requestAnimationFrame(() => scrollTo(0, place));
  });
}
