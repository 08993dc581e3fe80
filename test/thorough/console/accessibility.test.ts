import { openConsole } from '../../support/browser/console-page.ts';
import { type Viewer, viewer } from '../../support/browser/viewer.ts';
import { happening } from '../../support/deployed/happening.ts';
import { eventually } from '../../support/eventually.ts';

let looking: Viewer;
let ids: { id: string; message: string };

beforeAll(async () => {
  looking = await viewer();
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('readable'), { description: 'my shop' });
  await partner.subscribe(await receiver.endpoint('paused'), { description: 'another shop' });
  await stack.publish(happening(partner), happening(partner));
  const [message] = await partner.messages(id, (messages) => messages.length === 2);
  await partner.call('POST', `/subscriptions/${id}/pause`);
  ids = { id, message: message?.message_id ?? '' };
});
afterAll(() => looking?.close());

/** Each screen, with what is there once it is complete. */
const SCREENS = [
  ['the list of subscriptions', '#/subscriptions', 'another shop'],
  ['the form for a new subscription', '#/subscriptions/new', 'Create subscription'],
  ['a subscription', '#/subscriptions/:id', 'Longest attempt'],
  ['the form for its settings', '#/subscriptions/:id/edit', 'Save'],
  ['its secrets', '#/subscriptions/:id/secrets', 'Rotate, step by step'],
  ['its messages', '#/subscriptions/:id/messages', 'Delivered'],
  ['messages that do not fit', '#/subscriptions/:id/messages?state=exhausted', 'No message fits'],
  ['recovering', '#/subscriptions/:id/recover', 'Count them'],
  ['a message', '#/messages/:message', 'Check the signature'],
  ['the changes', '#/changes', 'Created the subscription'],
  ['an address without a screen', '#/nothing', 'There is nothing here'],
] as const;

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test.each([1200, 390])(
    'no screen breaks a rule of WCAG 2.2 AA or is wider than %d pixels',
    async (width) => {
      const console = await looking.open('#/subscriptions', {
        colorScheme,
        viewport: { width, height: 844 },
      });
      const found: [string, unknown][] = [];
      for (const [name, hash, complete] of SCREENS) {
        await console.go(hash.replace(':id', ids.id).replace(':message', ids.message));
        await console.page.getByText(complete).locator('visible=true').first().waitFor();
        const details = console.page.locator('details > summary');
        for (const summary of await details.all()) await summary.click();
        const isTooWide = await console.page.evaluate('document.documentElement.scrollWidth > innerWidth');
        found.push([name, { broken: await console.broken(), isTooWide }]);
      }
      expect(found).toEqual(SCREENS.map(([name]) => [name, { broken: [], isTooWide: false }]));
      expect(console.complaints).toEqual([]);
      await console.close();
    },
  );

  test('the sign-in and a dialog break no rule either', async () => {
    const options = { colorScheme, viewport: { width: 390, height: 844 } };
    const signIn = await openConsole(looking.browser, looking.stack.outputs.apiUrl, '', options);
    await signIn.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await signIn.broken()).toEqual([]);
    await signIn.close();
    const dialog = await looking.open(`#/subscriptions/${ids.id}`, options);
    await dialog.page.getByRole('button', { name: 'Delete' }).click();
    await dialog.page.getByText('No message waits that would be cancelled').waitFor();
    expect(await dialog.broken()).toEqual([]);
    await dialog.close();
  });
});

test('a partner can do everything with the keyboard, and focus is where one would look for it', async () => {
  const console = await looking.open('#/subscriptions');
  const { page } = console;
  const focused = () => page.evaluate("document.activeElement?.innerText ?? ''") as Promise<string>;
  await page.getByRole('link', { name: 'my shop' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'my shop' }).waitFor();
  expect(await focused()).toBe('my shop');
  const remove = page.getByRole('button', { name: 'Delete' });
  await remove.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  expect(await page.evaluate("document.activeElement.closest('dialog') !== null")).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused()).toBe('Delete');
  await page.goBack();
  await page.getByRole('heading', { name: 'Subscriptions' }).waitFor();
  await console.close();
});

test('a link leads to the top of a screen, the back button to where one was', async () => {
  const console = await looking.open(`#/subscriptions/${ids.id}`, { viewport: { width: 390, height: 500 } });
  const { page } = console;
  const scrolled = () => page.evaluate('scrollY') as Promise<number>;
  await page.getByText('Longest attempt').waitFor();
  await page.evaluate('scrollTo(0, 400)');
  await page.getByRole('link', { name: 'Secrets' }).evaluate((link: { click(): void }) => link.click());
  await page.getByText('Rotate, step by step').waitFor();
  await eventually('the top', async () => (await scrolled()) === 0);
  await page.goBack();
  await page.getByText('Longest attempt').waitFor();
  await eventually('the place where one was', async () => (await scrolled()) === 400);
  await console.close();
});
