import { instant } from '../text/instant.ts';

/** How many ordering keys each page of a sample has. */
export const SAMPLE_PAGE = 25;
/**
 * How many its first page has. A backlog with fewer is seen whole: random times miss most of one whose
 * payments joined within seconds, some of them hours apart. Some 40 read units.
 */
export const SAMPLE_DEPTH = 500;

/**
 * Where in a backlog a sample looks besides its two ends, ISO 8601: anywhere between them. An hour after the
 * last event came, looking anywhere since the trouble began would find nothing.
 *
 * @param draws random numbers from 0 to 1, one for each place
 */
export function placesOfSample(oldest: string, newest: string, draws: readonly number[]): string[] {
  const [fromMs, toMs] = [Date.parse(oldest), Date.parse(newest)];
  return draws.map((draw) => instant(Math.round(fromMs + draw * (toMs - fromMs))));
}

/**
 * Each once, one of each page in turn, pages and what is in them in random order: the first few stand for the
 * whole backlog, even if long stretches of it are of one kind, and the first one for each of its parts in time.
 */
export function mixed<Item>(
  pages: readonly (readonly Item[])[],
  identity: (item: Item) => string,
  draw: () => number,
): Item[] {
  const items = inTurns(shuffle(pages, draw).map((page) => shuffle(page, draw)));
  return [...new Map(items.map((item) => [identity(item), item])).values()];
}

/** One of each page in turn. */
export function inTurns<Item>(pages: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...pages.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    pages.flatMap((page) => page.slice(index, index + 1)),
  ).flat();
}

/** Source: Fisher and Yates. */
function shuffle<Item>(items: readonly Item[], draw: () => number): Item[] {
  const shuffled = [...items];
  for (let index = shuffled.length - 1; index > 0; index--) {
    const other = Math.min(Math.floor(draw() * (index + 1)), index);
    [shuffled[index], shuffled[other]] = [shuffled[other] as Item, shuffled[index] as Item];
  }
  return shuffled;
}
