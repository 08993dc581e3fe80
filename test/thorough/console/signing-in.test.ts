import { openConsole } from '../../support/browser/console-page.ts';
import { looking } from '../../support/browser/own-viewer.ts';

let id: string;

beforeAll(async () => {
  ({ id } = await looking.partner.subscribe(await looking.receiver.endpoint('signing-in'), {
    description: 'my shop',
  }));
});

/** A link from the API, as the fragment of an address. */
async function link(): Promise<{ hash: string; session: string }> {
  const { body } = await looking.partner.call('POST', '/portal-sessions', { rights: 'manage' });
  return { hash: body.console_path.replace('/v1/console', ''), session: body.session_id };
}

const open = (hash: string) => openConsole(looking.browser, looking.stack.outputs.apiUrl, hash);

test('a link can also be pasted, with everything around it', async () => {
  const { hash } = await link();
  const console = await open('');
  await console.page.getByLabel('API token').fill(`https://api.example/v1/console${hash}`);
  await console.page.getByRole('button', { name: 'Sign in' }).click();
  await console.shows('my shop');
  expect(console.page.url()).not.toContain('phc_');
});

test('whoever continues with a token that is refused reads of that, and no more of a link that was', async () => {
  const { hash, session } = await link();
  await looking.partner.call('DELETE', `/portal-sessions/${session}`);
  const console = await open(hash);
  const { page } = console;
  await console.shows('A link works once');
  await page.getByLabel('API token').fill('phk_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('#token-error').waitFor();
  expect(await page.getByText('A link works once').count()).toBe(0);
});

test.each([
  ['the settings', '#/subscriptions/:id/edit', 'Description', 'half a sentence'],
  ['what to recover', '#/subscriptions/:id/recover', 'Accepted from', '2026-11-01T10:00:30'],
  ['the search for a payment', '#/payments', 'Payment id', 'pay-typed'],
])('when a session ends in the middle, %s keeps what was typed', async (_, hash, label, typed) => {
  const { hash: code, session } = await link();
  const console = await open(code);
  const { page } = console;
  await console.shows('my shop');
  await console.go(hash.replace(':id', id));
  await page
    .getByLabel(label, { exact: true })
    .or(page.getByLabel(`${label} (optional)`))
    .fill(typed);
  await looking.partner.call('DELETE', `/portal-sessions/${session}`);
  // Whatever is asked next finds the session ended.
  if (hash === '#/payments') await page.getByRole('button', { name: 'Show' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(true);
  await dialog.getByLabel('API token').fill(looking.partner.token);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(
    await page
      .getByLabel(label, { exact: true })
      .or(page.getByLabel(`${label} (optional)`))
      .inputValue(),
  ).toBe(typed);
});

test('signing out forgets everything: the back button shows nothing', async () => {
  const { hash } = await link();
  const console = await open(hash);
  const { page } = console;
  await page.getByRole('link', { name: 'my shop' }).click();
  await console.shows('Longest attempt');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await console.shows('Your webhooks');
  await console.back();
  await console.shows('Your webhooks');
  expect(await page.content()).not.toContain('my shop');
});
