import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** The console as one viewer sees it, and what the browser complained of. */
export interface ConsolePage {
  readonly page: Page;
  /** Violations of the content security policy, exceptions, and errors that were logged. */
  readonly complaints: readonly string[];
  /** Rules of WCAG 2.2, levels A and AA, that the screen breaks, each with the first element that does. */
  broken(): Promise<string[]>;
  go(hash: string): Promise<void>;
  close(): Promise<void>;
}

const axe = readFileSync(createRequire(import.meta.filename).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const PATIENCE_MS = 60_000;

/** A failing request is logged by the browser itself; tests provoke some. */
const OF_THE_NETWORK = /^Failed to load resource/;

/** Opens the console. @param hash of the address */
export async function openConsole(
  browser: Browser,
  apiUrl: string,
  hash = '',
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  // On a busy machine, with cold workers.
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !OF_THE_NETWORK.test(message.text())) complaints.push(message.text());
  });
  await page.goto(`${apiUrl}/v1/console${hash}`);
  return {
    page,
    complaints,
    async broken() {
      await page.evaluate(axe);
      const { violations } = (await page.evaluate(
        `axe.run(document, ${JSON.stringify({ runOnly: { type: 'tag', values: WCAG } })})`,
      )) as { violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[] };
      return violations.map(
        ({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html}: ${nodes[0]?.failureSummary}`,
      );
    },
    go: async (to) => {
      await page.evaluate(`location.hash = ${JSON.stringify(to)}`);
    },
    close: () => context.close(),
  };
}

/** Signs in with a token of the API, as whoever has no link does. */
export async function signIn({ page }: ConsolePage, token: string): Promise<void> {
  await page.getByLabel('API token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}
