import type { Browser } from 'playwright-core';
import { openApiDocument } from '../../../../functions/api/openapi/document.ts';
import { consolePageHtml } from '../../../../lib/bundling/console-page.ts';
import { docsPageHtml } from '../../../../lib/bundling/docs-page.ts';
import { startBrowser } from '../../../support/browser/chromium.ts';
import {
  brokenRules,
  type ConsolePage,
  newPage,
  openConsole,
  signIn,
} from '../../../support/browser/console-page.ts';
import { looking } from '../../../support/browser/own-viewer.ts';
import { addressed, type Named, SCREENS, somethingEverywhere } from '../../../support/browser/screens.ts';
import { eventually } from '../../../support/eventually.ts';
import { GOV_UK_PAY } from '../../../support/gov-uk-pay.ts';

describe('screens', () => {
  let named: Named;

  beforeAll(async () => {
    named = await somethingEverywhere(looking);
  });

  describe.each([
    ['light', 1_200],
    ['dark', 390],
  ] as const)('in the %s theme, %d pixels wide', (colorScheme, width) => {
    let console: ConsolePage;
    beforeAll(async () => {
      console = await looking.open('#/subscriptions', { colorScheme });
    });
    afterAll(() => console?.close());

    test.each(SCREENS)(
      '%s breaks no rule of WCAG 2.2 AA, and fits, also on a phone',
      async (_, hash, complete) => {
        await console.page.setViewportSize({ width, height: 844 });
        await console.go(addressed(hash, named));
        await console.shows(complete);
        const closed = console.page.locator('details:not([open]) > summary');
        while ((await closed.count()) > 0) await closed.first().click();
        expect(await console.broken()).toEqual([]);
        // The narrowest that WCAG 2.2 asks for: 1.4.10.
        await console.page.setViewportSize({ width: 320, height: 844 });
        await console.fits();
      },
    );

    test('the sign-in and a dialog break no rule either', async () => {
      const options = { colorScheme, viewport: { width: 390, height: 844 } };
      const signIn = await openConsole(looking.browser, looking.stack.outputs.apiUrl, '', options);
      await signIn.page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await signIn.broken()).toEqual([]);
      await signIn.close();
      const dialog = await looking.open(`#/subscriptions/${named.id}`, options);
      await dialog.page.getByRole('button', { name: 'Delete' }).click();
      await dialog.page.getByText('No message waits that would be cancelled').waitFor();
      expect(await dialog.broken()).toEqual([]);
    });
  });

  test('a partner can do everything with the keyboard, and focus is where one would look for it', async () => {
    const console = await looking.open('#/subscriptions');
    const { page } = console;
    await page.getByRole('link', { name: 'my shop' }).press('Enter');
    await console.focusIsOn(page.getByRole('heading', { name: 'my shop' }));
    const remove = page.getByRole('button', { name: 'Delete' });
    await remove.press('Enter');
    await console.focusIsOn(page.getByRole('dialog').getByRole('button', { name: 'Keep it' }));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await console.focusIsOn(remove);
    await console.back();
    await console.focusIsOn(page.getByRole('heading', { name: 'Subscriptions' }));
  });

  test('a link leads to the top of a screen, the back button to where one was', async () => {
    const console = await looking.open(`#/subscriptions/${named.id}`, {
      viewport: { width: 390, height: 500 },
    });
    const { page } = console;
    const scrolled = () => page.evaluate('scrollY') as Promise<number>;
    // The last thing that comes: from now on nothing below or above it grows.
    await console.shows('The same in numbers');
    await page.evaluate('scrollTo(0, 400)');
    await page.getByRole('link', { name: 'Secrets' }).evaluate((link: { click(): void }) => link.click());
    await page.getByText('Rotate, step by step').waitFor();
    await eventually('the top', async () => (await scrolled()) === 0);
    await console.back();
    await eventually('the place where one was', async () => (await scrolled()) === 400);
  });
});

describe('reference', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  test.each(['light', 'dark'] as const)('the reference is readable in the %s theme', async (colorScheme) => {
    const page = await newPage(browser, { colorScheme, bypassCSP: true });
    const { html } = docsPageHtml();
    await page.route('**/*', (route) =>
      route.request().url().endsWith('/openapi.json')
        ? route.fulfill({ json: openApiDocument(GOV_UK_PAY.types) })
        : route.fulfill({ body: html, contentType: 'text/html' }),
    );
    await page.goto('https://api.example/v1/docs');
    const paper = await page.locator('body').evaluate('getComputedStyle(document.body).backgroundColor');
    expect(paper === 'rgb(255, 255, 255)').toBe(colorScheme === 'light');
    for (const method of ['POST', 'GET', 'DELETE']) {
      await page.locator('.opblock-summary-control', { hasText: method }).first().click();
    }
    await page.locator('.opblock-delete .responses-table').waitFor();
    expect(await brokenRules(page, { type: 'rule', values: ['color-contrast'] })).toEqual([]);
    await page.context().close();
  });
});

describe('brand colours', () => {
  /** The deployed console with the colours of another stage. */
  async function coloured(
    accent: { readonly background: string; readonly text: string },
    colorScheme: 'light' | 'dark',
  ): Promise<ConsolePage> {
    const { html, headers } = consolePageHtml({ accent });
    const console = await openConsole(looking.browser, looking.stack.outputs.apiUrl, '', { colorScheme });
    await console.page.route('**/v1/console', (route) =>
      route.fulfill({ contentType: 'text/html', headers: { ...headers }, body: html }),
    );
    await console.page.reload();
    await console.shows('How to get in');
    return console;
  }

  test.each([
    ['a light colour', 'light', { background: '#ffe45c', text: '#16191d' }],
    ['a dark colour', 'dark', { background: '#1d0b33', text: '#f4f5f7' }],
    ['colours that can just be told apart', 'dark', { background: '#767676', text: '#ffffff' }],
  ] as const)(
    'with %s of the stage links and buttons can be read in the %s theme, also under the pointer',
    async (_, colorScheme, accent) => {
      const console = await coloured(accent, colorScheme);
      const { page } = console;
      const isReadable = async () => expect(await console.broken()).toEqual([]);
      const main = page.locator('.main:is(button, .button)');
      const seen = () =>
        // biome-ignore lint/suspicious/noExplicitAny: this runs in the browser
        main.evaluate((button: any) => {
          const { color, backgroundColor, filter } =
            button.ownerDocument.defaultView.getComputedStyle(button);
          return [color, backgroundColor, filter];
        });
      const rgb = (hex: string) => {
        const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
        return `rgb(${red}, ${green}, ${blue})`;
      };
      const wanted = [rgb(accent.text), rgb(accent.background), 'none'];
      await isReadable();
      expect(await seen()).toEqual(wanted);
      // axe does not know what the pointer changes.
      await main.hover();
      expect(await seen()).toEqual(wanted);

      const { id } = await looking.partner.subscribe(await looking.receiver.endpoint('coloured'));
      await signIn(console, looking.partner.token);
      await console.go(`#/subscriptions/${id}/secrets`);
      await page.getByRole('button', { name: 'Add a new secret' }).click();
      await page.getByRole('button', { name: 'My receiver uses it' }).waitFor();
      await isReadable();
      await page
        .getByRole('button', { name: /^Revoke sec_/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
      await isReadable();
    },
  );
});
