import { type ConsolePage, openConsole } from '../../../support/browser/console-page.ts';
import { looking } from '../../../support/browser/own-viewer.ts';
import { addressed, type Named, SCREENS, somethingEverywhere } from '../../../support/browser/screens.ts';
import { eventually } from '../../../support/eventually.ts';

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
  await console.shows('Numbers by the hour');
  await page.evaluate('scrollTo(0, 400)');
  await page.getByRole('link', { name: 'Secrets' }).evaluate((link: { click(): void }) => link.click());
  await page.getByText('Rotate, step by step').waitFor();
  await eventually('the top', async () => (await scrolled()) === 0);
  await console.back();
  await eventually('the place where one was', async () => (await scrolled()) === 400);
});
