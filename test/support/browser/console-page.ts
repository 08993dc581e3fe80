import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { slowDown } from './slowdown.ts';

/** The console as one viewer sees it, and what the browser complained of. */
export interface ConsolePage {
  readonly page: Page;
  /** Violations of the content security policy, exceptions, and errors that were logged. */
  readonly complaints: readonly string[];
  /**
   * Rules of WCAG 2.2, levels A and AA, that the screen breaks, each with the first element that does; and
   * ids that name none or several.
   */
  broken(): Promise<string[]>;
  /** Waits until nothing has to be scrolled sideways. */
  fits(): Promise<void>;
  /** Waits until this text is seen. */
  shows(text: string | RegExp): Promise<void>;
  /** Waits until what has the keyboard's focus is this. */
  focusIsOn(element: Locator): Promise<void>;
  /** Goes to an address, and returns when its screen has taken the place of the one before. */
  go(hash: string): Promise<void>;
  /** The same with the back button, from one screen to the one before. */
  back(): Promise<void>;
  close(): Promise<void>;
}

const axe = readFileSync(createRequire(import.meta.filename).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Ids that several elements have, or none that is referred to: of that WCAG 2.2 has no rule. */
const AMBIGUOUS = `(() => {
  const of = (name) => [...document.querySelectorAll('[' + name + ']')].flatMap(
    (element) => element.getAttribute(name).split(' ').map((id) => ({ name, id })),
  );
  const has = Map.groupBy(of('id'), ({ id }) => id);
  return [
    ...[...has].filter(([, those]) => those.length > 1).map(([id]) => 'several elements have the id ' + id),
    ...['for', 'aria-labelledby', 'aria-describedby', 'aria-controls'].flatMap(of)
      .filter(({ id }) => !has.has(id))
      .map(({ name, id }) => name + ' names ' + id + ', which no element has'),
  ];
})()`;

const PATIENCE_MS = 60_000;

/** A failing request is logged by the browser itself; tests provoke some. */
const OF_THE_NETWORK = /^Failed to load resource/;

/** The pages that are open, and those that complained before they were closed. */
export const pages = new Set<ConsolePage>();

/** A page that has the patience for a busy machine, and cold workers. */
export async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await slowDown(page);
  return page;
}

/** What a page breaks of axe's rules: of those with a tag, or those named. */
export async function brokenRules(
  page: Page,
  runOnly: { readonly type: 'tag' | 'rule'; readonly values: readonly string[] },
): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify({ runOnly })})`)) as {
    violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html}: ${nodes[0]?.failureSummary}`,
  );
}

/** Opens the console. @param hash of the address */
export async function openConsole(
  browser: Browser,
  apiUrl: string,
  hash = '',
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const page = await newPage(browser, {
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !OF_THE_NETWORK.test(message.text())) complaints.push(message.text());
  });
  await page.goto(`${apiUrl}/v1/console${hash}`);
  const opened: ConsolePage = {
    page,
    complaints,
    broken: async () => [
      ...(await brokenRules(page, { type: 'tag', values: WCAG })),
      ...(await page.evaluate<string[]>(AMBIGUOUS)),
    ],
    // A chart takes its new width a moment after the page.
    fits: async () => {
      await eventually('nothing has to be scrolled sideways', () =>
        page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'),
      );
    },
    shows: (text) => page.getByText(text).locator('visible=true').first().waitFor(),
    focusIsOn: (element) => element.and(page.locator(':focus')).waitFor(),
    go: (to) =>
      page.evaluate(
        `location.hash === ${JSON.stringify(to)} || ${moved(`location.hash = ${JSON.stringify(to)}`)}`,
      ),
    back: () => page.evaluate(moved('history.back()')),
    async close() {
      if (page.isClosed()) return;
      // A route that still asks the API would fail, in whatever test runs then.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.context().close();
      if (complaints.length === 0) pages.delete(opened);
    },
  };
  pages.add(opened);
  return opened;
}

/**
 * Moves to another address, and ends when the console, which listens since before, has rendered its screen.
 * Until then, what is waited for may be found on the screen before.
 */
function moved(move: string): string {
  return `new Promise((rendered) => {
    addEventListener('hashchange', () => rendered(), { once: true });
    ${move};
  })`;
}

/** Signs in with a token of the API, as whoever has no link does. */
export async function signIn({ page }: ConsolePage, token: string): Promise<void> {
  await page.getByLabel('API token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}
