import { openConsole } from '../../../support/browser/console-page.ts';
import { looking } from '../../../support/browser/own-viewer.ts';
import type { Service } from '../../../support/deployed/deployed-stack.ts';
import { eventually } from '../../../support/eventually.ts';

/** Another service, with one subscription of its own. */
let other: Service;
let id: string;

beforeAll(async () => {
  const { partner, receiver, stack } = looking;
  ({ id } = await partner.subscribe(await receiver.endpoint('mine'), { description: 'my shop' }));
  other = await stack.newService();
  await other.subscribe(await receiver.endpoint('theirs'), { description: 'their shop' });
});

async function linkOf(service: Service): Promise<{ hash: string; session: string }> {
  const { body } = await service.call('POST', '/portal-sessions', { rights: 'manage' });
  return { hash: body.console_path.replace('/v1/console', ''), session: body.session_id };
}

const open = (hash: string) => openConsole(looking.browser, looking.stack.outputs.apiUrl, hash);
const follow = (hash: string) => `location.hash = ${JSON.stringify(hash)}`;

test('a lost connection does not use up a link: it can be tried again', async () => {
  const { hash } = await linkOf(looking.partner);
  const console = await open('');
  const { page } = console;
  await page.route(/sessions\/exchange$/, (route) => route.abort('connectionrefused'));
  await page.evaluate(follow(hash));
  await console.shows('No answer came. Check your connection.');
  expect(await page.getByText('ask for a new one').count()).toBe(0);
  expect(page.url()).not.toContain('phc_');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await console.shows('my shop');
});

test('a link that does not work leaves whoever is signed in where they are', async () => {
  const [{ hash }, used] = [await linkOf(looking.partner), await linkOf(looking.partner)];
  await looking.partner.call('DELETE', `/portal-sessions/${used.session}`);
  const console = await open(hash);
  const { page } = console;
  await console.shows('my shop');
  await console.go('#/payments');
  await page.getByLabel('Payment id').fill('pay-typed');
  await page.evaluate(follow(used.hash));
  const dialog = page.getByRole('dialog', { name: 'The new link' });
  await dialog.getByText('A link works once').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  expect(await page.getByLabel('Payment id').inputValue()).toBe('pay-typed');
  expect(new URL(page.url()).hash).toBe('#/payments');
  await console.go('#/subscriptions');
  await console.shows('my shop');
});

test('a link of another service takes the place of the session before it, which ends', async () => {
  const [mine, theirs] = [await linkOf(looking.partner), await linkOf(other)];
  const console = await open(mine.hash);
  const { page } = console;
  await console.shows('my shop');
  await page.getByText(looking.partner.serviceId).waitFor();
  await console.go(`#/subscriptions/${id}`);
  await console.shows('Longest attempt');
  await page.evaluate(follow(theirs.hash));
  await console.shows('their shop');
  await page.getByText(other.serviceId).waitFor();
  expect(await page.content()).not.toContain('my shop');
  await eventually('the session before has ended', async () => {
    const { body } = await looking.partner.call('GET', '/portal-sessions');
    return !body.portal_sessions.some(
      ({ session_id }: { session_id: string }) => session_id === mine.session,
    );
  });
});

test('with the token of another service nothing stays of the one before', async () => {
  const { hash, session } = await linkOf(looking.partner);
  const console = await open(hash);
  const { page } = console;
  await console.shows('my shop');
  await console.go('#/subscriptions/new');
  await page.getByLabel('Description').fill('a secret plan');
  await looking.partner.call('DELETE', `/portal-sessions/${session}`);
  await page.getByRole('button', { name: 'Create' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  // No answer tells it more than it shows: what comes late, or what is remembered, would be seen.
  await page.route(/\/v1\/subscriptions\/sub_/, () => {});
  await dialog.getByLabel('API token').fill(other.token);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await console.shows('their shop');
  await page.getByText(other.serviceId).waitFor();
  await console.go('#/subscriptions/new');
  expect(await page.getByLabel('Description').inputValue()).toBe('');
  await console.go(`#/subscriptions/${id}`);
  await page.locator('.loading').first().waitFor();
  expect(await page.content()).not.toContain('my shop');
});

test('whoever does not want to sign in again signs out', async () => {
  const { hash, session } = await linkOf(looking.partner);
  const console = await open(hash);
  const { page } = console;
  await console.shows('my shop');
  await looking.partner.call('DELETE', `/portal-sessions/${session}`);
  await console.go('#/changes');
  await page.getByRole('dialog', { name: 'Sign in again' }).getByRole('button', { name: 'Sign out' }).click();
  await console.shows('How to get in');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('an answer that cannot be shown leaves a message, and the way to other screens', async () => {
  const console = await looking.open('#/payments');
  const { page } = console;
  await page.route(/\/v1\/changes\?/, (route) => route.fulfill({ json: { changes: [null] } }));
  await console.go('#/changes');
  await console.shows('This cannot be shown');
  await page.getByRole('link', { name: 'Subscriptions' }).click();
  await console.shows('my shop');
  expect(await page.getByText('This cannot be shown').count()).toBe(0);
});
