import type { Page } from 'playwright-core';
import { consolePageHtml } from '../../../../lib/bundling/console-page.ts';
import { openConsole, signIn } from '../../../support/browser/console-page.ts';
import { looking } from '../../../support/browser/own-viewer.ts';
import { openStageConsole } from '../../../support/browser/viewer.ts';

beforeAll(async () => {
  await looking.partner.subscribe(await looking.receiver.endpoint('staying'), { description: 'my shop' });
});

async function link(): Promise<{ hash: string; session: string }> {
  const { body } = await looking.partner.call('POST', '/portal-sessions', { rights: 'manage' });
  return { hash: body.console_path.replace('/v1/console', ''), session: body.session_id };
}

const open = (hash = '') => openConsole(looking.browser, looking.stack.outputs.apiUrl, hash);
const stored = (page: Page) => page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in' });

/** Another tab of the same browser, at the address of the first. */
async function newTab(page: Page, hash = new URL(page.url()).hash): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(`${looking.stack.outputs.apiUrl}/v1/console${hash}`);
  return tab;
}

test('whoever came by a link stays signed in through a reload and in a new tab, until signing out in any of them', async () => {
  const { hash, session } = await link();
  const console = await open(hash);
  const { page } = console;
  await console.shows('my shop');
  await console.go('#/changes');
  await page.reload();
  await page.getByRole('heading', { name: 'Changes' }).waitFor();
  const tab = await newTab(page);
  await tab.getByRole('heading', { name: 'Changes' }).waitFor();
  await tab.reload();
  await tab.getByRole('heading', { name: 'Changes' }).waitFor();

  await tab.getByRole('button', { name: 'Sign out' }).click();
  for (const one of [tab, page]) {
    await signInButton(one).waitFor();
    await one.reload();
    await signInButton(one).waitFor();
    expect(await stored(one)).not.toContain('phs_');
  }
  const { body } = await looking.partner.call('GET', '/portal-sessions');
  expect(JSON.stringify(body)).not.toContain(session);
});

test('of two tabs with sessions of their own, a new one is signed in like the one that was used last', async () => {
  const [mine, other] = [await open((await link()).hash), (await link()).hash];
  const { page } = mine;
  await mine.shows('my shop');
  const second = await newTab(page, other);
  await second.getByRole('link', { name: 'my shop' }).waitFor();
  const id = async (of: Page) => JSON.parse(JSON.parse(await stored(of)).payhooks).portal.session_id;
  const [first, last] = [await id(page), await id(second)];
  expect(first).not.toBe(last);
  await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true });
    document.dispatchEvent(new Event('visibilitychange'))`);
  const third = await newTab(page);
  await third.getByRole('link', { name: 'my shop' }).waitFor();
  expect(await id(third)).toBe(last);
});

test('a link that was used up opens the console all the same while another tab is signed in', async () => {
  const { hash } = await link();
  const console = await open(hash);
  await console.shows('my shop');
  const tab = await newTab(console.page, hash);
  await tab.getByRole('dialog', { name: 'The new link' }).getByText('A link works once').waitFor();
  await tab.getByRole('button', { name: 'Close' }).click();
  await tab.getByRole('link', { name: 'my shop' }).waitFor();
});

test('what was kept ends with the tab, with the session, and at its time', async () => {
  const { hash, session } = await link();
  const console = await open(hash);
  const { page } = console;
  await console.shows('my shop');
  const tab = await newTab(page);
  await tab.getByRole('link', { name: 'my shop' }).waitFor();
  await tab.close();
  await looking.partner.call('DELETE', `/portal-sessions/${session}`);
  await console.go('#/changes');
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  expect(await stored(page)).toBe('{}');
  await page.reload();
  await signInButton(page).waitFor();

  await signIn(console, looking.partner.token);
  await page.reload();
  await page.getByRole('heading', { name: 'Changes' }).waitFor();
  const { untilMs } = JSON.parse(JSON.parse(await stored(page)).payhooks);
  expect(untilMs - Date.now()).toBeLessThanOrEqual(12 * 3_600_000);
  await page.clock.setFixedTime(untilMs);
  await page.reload();
  await signInButton(page).waitFor();
  expect(await stored(page)).toBe('{}');

  await page.clock.setFixedTime(Date.now());
  await signIn(console, looking.partner.token);
  const address = page.url();
  const { context } = { context: page.context() };
  await page.close();
  const later = await context.newPage();
  await later.goto(address);
  await signInButton(later).waitFor();
});

test('whoever does not want to stay signed in leaves nothing for a reload or a new tab', async () => {
  const console = await open();
  const { page } = console;
  await page.getByLabel('Stay signed in in this tab').uncheck();
  await signIn(console, looking.partner.token);
  await console.shows('my shop');
  expect(await stored(page)).not.toContain(looking.partner.token);
  const tab = await newTab(page);
  await signInButton(tab).waitFor();
  expect(await tab.getByText('my shop').count()).toBe(0);
  await page.reload();
  await signInButton(page).waitFor();
});

test('on a stage that forbids it nothing is kept, not even for whoever came by a link', async () => {
  const { html, headers } = consolePageHtml({ staysSignedIn: false });
  const console = await open();
  const { page } = console;
  await page
    .context()
    .route(/\/v1\/console$/, (route) =>
      route.fulfill({ contentType: 'text/html', headers: { ...headers }, body: html }),
    );
  await page.reload();
  await console.shows('reloading or closing the page forgets it');
  expect(await page.getByLabel('Stay signed in in this tab').count()).toBe(0);
  const { hash } = await link();
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await console.shows('my shop');
  expect(await stored(page)).toBe('{}');
  await page.reload();
  await signInButton(page).waitFor();
});

test('a session of the whole stage stays, too', async () => {
  const { page } = await openStageConsole(looking.browser, looking.stack, 'analyst');
  await page.reload();
  await page.getByText('Analyst, read only').waitFor();
  await page.getByRole('heading', { name: 'Health' }).waitFor();
});
