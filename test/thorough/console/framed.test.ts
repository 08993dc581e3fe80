import type { Page } from 'playwright-core';
import { consolePageHtml } from '../../../lib/bundling/console-page.ts';
import type { ConsoleSettings } from '../../../lib/bundling/console-settings.ts';
import { newPage } from '../../support/browser/console-page.ts';
import { type Viewer, viewer } from '../../support/browser/viewer.ts';

const PORTAL = 'https://portal.example';
const API = 'https://api.example';

let looking: Viewer;

beforeAll(async () => {
  looking = await viewer();
  await looking.partner.subscribe(await looking.receiver.endpoint('framed'), { description: 'my shop' });
});
afterAll(() => looking?.close());

/**
 * A page of `around` that frames the console as documented. Its names are answered here, and everything of
 * the API but the page comes from the deployed stack.
 */
async function framed(around: string, settings: ConsoleSettings): Promise<Page> {
  const { partner, browser, stack } = looking;
  const { body: made } = await partner.call('POST', '/portal-sessions', { rights: 'manage' });
  const { html, headers } = consolePageHtml(settings);
  const page = await newPage(browser);
  await page.route(`${API}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    if (pathname === '/v1/console') {
      return route.fulfill({ contentType: 'text/html', headers: { ...headers }, body: html });
    }
    return route.fulfill({
      response: await route.fetch({ url: `${stack.outputs.apiUrl}${pathname}${search}` }),
    });
  });
  await page.route(`${around}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<iframe title="Webhooks" src="${API}${made.console_path}" width="900" height="800"
        allow="clipboard-write" sandbox="allow-scripts allow-same-origin allow-forms"></iframe>`,
    }),
  );
  await page.goto(`${around}/webhooks`);
  return page;
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
  // No server has seen the code: neither in an address nor as where a request came from.
  expect(requested.join('\n')).not.toMatch(/phc_|portal\.example/);
  expect(page.frames()[1]?.url()).toMatch(/^https:\/\/api\.example\/v1\/console#\/subscriptions/);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().close();
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
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().close();
});

test('the deployed console cannot be framed', async () => {
  const page = await newPage(looking.browser);
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.setContent(`<iframe src="${looking.stack.outputs.apiUrl}/v1/console"></iframe>`);
  await refused;
  await page.context().close();
});

test('with the colours of a stage, what stands on a main button can be read in both themes', async () => {
  const { html } = consolePageHtml({ accent: { background: '#7a1fa2', text: '#ffffff' } });
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await newPage(looking.browser, { colorScheme });
    await page.route(`${API}/**`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
    await page.goto(`${API}/v1/console`);
    const colours = await page
      .getByRole('button', { name: 'Sign in' })
      // biome-ignore lint/suspicious/noExplicitAny: this runs in the browser
      .evaluate((button: any) => {
        const { color, backgroundColor } = button.ownerDocument.defaultView.getComputedStyle(button);
        return [color, backgroundColor];
      });
    expect(colours).toEqual(['rgb(255, 255, 255)', 'rgb(122, 31, 162)']);
    await page.context().close();
  }
});
