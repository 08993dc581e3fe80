import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { consolePageHtml } from '../../../lib/bundling/console-page.ts';
import type { ConsoleSettings } from '../../../lib/bundling/console-settings.ts';
import { newPage } from '../../support/browser/console-page.ts';
import { looking } from '../../support/browser/own-viewer.ts';

const PORTAL = 'https://portal.example';
const API = 'https://api.example';

beforeAll(async () => {
  await looking.partner.subscribe(await looking.receiver.endpoint('framed'), { description: 'my shop' });
});

/** What docs/console.md tells to insert. */
const [, DOCUMENTED = ''] =
  /```html\n(<iframe.*?<\/iframe>)/s.exec(
    readFileSync(path.resolve(import.meta.dirname, '../../../docs/console.md'), 'utf8'),
  ) ?? [];

/**
 * A page of `around` that frames the console as documented. Its names are answered here, and everything of
 * the API but the page comes from the deployed stack.
 *
 * @param without what is left out of the frame's attributes
 */
async function framed(around: string, settings: ConsoleSettings, without = ''): Promise<Page> {
  const { partner, browser, stack } = looking;
  const { body: made } = await partner.call('POST', '/portal-sessions', { rights: 'manage' });
  const { html, headers } = consolePageHtml(settings);
  const page = await newPage(browser, { permissions: ['clipboard-write'] });
  await page.context().route(`${API}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    if (pathname === '/v1/console') {
      return route.fulfill({ contentType: 'text/html', headers: { ...headers }, body: html });
    }
    return route.fulfill({
      response: await route.fetch({ url: `${stack.outputs.apiUrl}${pathname}${search}` }),
    });
  });
  const frame = DOCUMENTED.replace('/v1/console#code=phc_…', made.console_path).replace(without, '');
  await page.route(`${around}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: frame.replace('<iframe', '<iframe width="900" height="800"'),
    }),
  );
  await page.goto(`${around}/webhooks`);
  return page;
}

async function close(page: Page): Promise<void> {
  await page.context().unrouteAll({ behavior: 'ignoreErrors' });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().close();
}

test('a page that the stage names frames the console, which signs in by its link and changes what it may', async () => {
  const page = await framed(PORTAL, { framedBy: [PORTAL], product: 'Bakery webhooks' });
  const requested: string[] = [];
  page.on('request', (request) => requested.push(`${request.url()} ${request.headers().referer ?? ''}`));
  const frame = page.frameLocator('iframe');
  await frame.getByRole('link', { name: 'my shop' }).waitFor();
  expect(await frame.getByText('Bakery webhooks').count()).toBe(1);
  await frame.getByRole('link', { name: 'my shop' }).click();
  await frame.getByRole('button', { name: 'Pause' }).click();
  await frame.getByText('Messages wait until it is enabled').waitFor();
  // The page around it makes another link, perhaps for somebody else.
  expect(await page.frames()[1]?.evaluate('sessionStorage.length')).toBe(0);
  // No server has seen the code: neither in an address nor as where a request came from.
  expect(requested.join('\n')).not.toMatch(/phc_|portal\.example/);
  expect(page.frames()[1]?.url()).toMatch(/^https:\/\/api\.example\/v1\/console#\/subscriptions/);
  await close(page);
});

test.each([
  ['a page that the stage does not name', 'https://elsewhere.example', { framedBy: [PORTAL] }],
  ['any page, where the stage names none', PORTAL, {}],
])('%s cannot frame it', async (_, around, settings) => {
  const page = await framed(around, settings);
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.reload();
  await refused;
  expect(await page.frameLocator('iframe').locator('#console').count()).toBe(0);
  await close(page);
});

test('the deployed console cannot be framed', async () => {
  const page = await newPage(looking.browser);
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.setContent(`<iframe src="${looking.stack.outputs.apiUrl}/v1/console"></iframe>`);
  await refused;
  await page.context().close();
});

const ANY: ConsoleSettings = { framedBy: [PORTAL] };

/** Goes to the secrets of the subscription that the frame lists. */
async function toSecrets(frame: FrameLocator): Promise<void> {
  await frame.getByRole('link', { name: 'my shop' }).click();
  await frame.getByRole('link', { name: 'Secrets' }).click();
  await frame.getByRole('link', { name: 'How to receive webhooks' }).waitFor();
}

test('in the documented frame forms are sent, keys are copied, and the guide opens in a tab of its own', async () => {
  const page = await framed(PORTAL, ANY);
  const frame = page.frameLocator('iframe');
  await toSecrets(frame);
  await frame.getByRole('button', { name: 'Copy key' }).click();
  await frame.getByText('Copied').waitFor();
  const opened = page.context().waitForEvent('page');
  await frame.getByRole('link', { name: 'How to receive webhooks' }).click();
  await (await opened).getByRole('heading', { name: 'Receiving webhooks' }).waitFor();
  await frame.getByRole('link', { name: 'Payments' }).click();
  await frame.getByLabel('Payment id').fill('pay-none');
  await frame.getByRole('button', { name: 'Show' }).click();
  await frame.getByText('No webhook of yours belongs').waitFor();
  await close(page);
});

test.each<[string, string, (page: Page, frame: FrameLocator) => Promise<void>]>([
  [
    'allow-scripts',
    'nothing is shown',
    async (page) => {
      const blocked = page.waitForEvent('console', (message) => message.text().includes("'allow-scripts'"));
      await page.reload();
      await blocked;
    },
  ],
  [
    'allow-same-origin',
    'nobody can sign in',
    // What is answered here is let through; a browser refuses the API's answer, which names no origin.
    async (page) => {
      const asked = page.waitForRequest(/sessions\/exchange$/);
      await page.reload();
      const { origin = '' } = await (await asked).allHeaders();
      expect(origin).toBe('null');
      const { status, headers: answered } = await looking.partner.call('GET', '/subscriptions', undefined, {
        origin,
      });
      expect([status, answered.get('access-control-allow-origin')]).toEqual([200, null]);
    },
  ],
  [
    'allow-forms',
    'no form is sent',
    async (page, frame) => {
      await frame.getByRole('link', { name: 'Payments' }).click();
      await frame.getByLabel('Payment id').fill('pay-none');
      const blocked = page.waitForEvent('console', (message) => message.text().includes("'allow-forms'"));
      await frame.getByRole('button', { name: 'Show' }).click();
      await blocked;
    },
  ],
  [
    'allow-popups',
    'the guide does not open',
    async (page, frame) => {
      await toSecrets(frame);
      const blocked = page.waitForEvent('console', (message) => message.text().includes("'allow-popups'"));
      await frame.getByRole('link', { name: 'How to receive webhooks' }).click();
      await blocked;
    },
  ],
  [
    'allow="clipboard-write"',
    'nothing is copied, and the page says so',
    async (_, frame) => {
      await toSecrets(frame);
      await frame.getByRole('button', { name: 'Copy key' }).click();
      await frame.getByText('The browser did not allow it').waitFor();
    },
  ],
])('without %s %s', async (without, _, seen) => {
  const page = await framed(PORTAL, ANY, without);
  await seen(page, page.frameLocator('iframe'));
  await close(page);
});
