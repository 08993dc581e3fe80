import { openConsole } from '../../../support/browser/console-page.ts';
import { looking } from '../../../support/browser/own-viewer.ts';
import { happening } from '../../../support/deployed/happening.ts';

async function linkOf(): Promise<{ hash: string; session: string }> {
  const { body } = await looking.partner.call('POST', '/portal-sessions', { rights: 'manage' });
  return { hash: body.console_path.replace('/v1/console', ''), session: body.session_id };
}

const open = (hash: string) => openConsole(looking.browser, looking.stack.outputs.apiUrl, hash);

test('deleting says what would be lost, keeps it when one cancels, and deletes when one confirms', async () => {
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('deleted'), { description: 'old shop' });
  await partner.call('POST', `/subscriptions/${id}/pause`);
  await stack.publish(happening(partner), happening(partner));
  await partner.messages(id, (all) => all.length === 2);
  const console = await looking.open(`#/subscriptions/${id}`);
  const { page } = console;
  const dialog = page.getByRole('dialog', { name: 'Delete this subscription?' });
  const ask = () => page.getByRole('button', { name: 'Delete', exact: true }).click();
  const isKept = async () => {
    await dialog.waitFor({ state: 'detached' });
    expect((await partner.call('GET', `/subscriptions/${id}`)).status).toBe(200);
  };

  await ask();
  await dialog.getByText('What waits is cancelled: 2 messages.').waitFor();
  expect(await dialog.innerText()).toMatch(
    /old shop[\s\S]*list of messages goes with it[\s\S]*secrets are destroyed/,
  );
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await isKept();
  await ask();
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await isKept();

  // Whoever presses Enter twice has not confirmed.
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await dialog.waitFor();
  await page.keyboard.press('Enter');
  await isKept();

  await ask();
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByRole('heading', { name: 'Subscriptions' }).waitFor();
  await page.getByRole('link', { name: 'old shop' }).waitFor({ state: 'detached' });
  expect((await partner.call('GET', `/subscriptions/${id}`)).status).toBe(404);
});

test('pausing loses nothing, so it asks nothing: it says what waits, and the same button takes it back', async () => {
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('paused'));
  const console = await looking.open(`#/subscriptions/${id}`);
  const { page } = console;
  await page.getByRole('button', { name: 'Pause' }).press('Enter');
  await console.shows('Messages wait until it is enabled');
  const enable = page.getByRole('button', { name: 'Enable' });
  await console.focusIsOn(enable);
  await stack.publish(happening(partner));
  await console.shows('1 waiting');
  expect(await receiver.receipts('paused')).toHaveLength(0);
  await enable.press('Enter');
  await partner.messages(id, ([one]) => one?.state === 'succeeded');
  await console.shows('Messages are sent as they arrive');
  expect(await receiver.receipts('paused')).toHaveLength(1);
});

test('each dialog has a name of its own, also in front of another one', async () => {
  const { partner, receiver } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('named'));
  await partner.call('POST', `/subscriptions/${id}/secrets`);
  const [{ hash, session }, used] = [await linkOf(), await linkOf()];
  await partner.call('DELETE', `/portal-sessions/${used.session}`);
  const console = await open(hash);
  const { page } = console;
  await console.shows('Sign out');
  const isNamed = async (...names: string[]) => {
    for (const name of names) await page.getByRole('dialog', { name }).waitFor();
    expect(await page.locator('dialog').count()).toBe(names.length);
    expect(await console.broken()).toEqual([]);
  };

  await console.go('#/subscriptions/new');
  await page.getByLabel('Callback URL').fill(await receiver.endpoint('created'));
  await page.getByRole('button', { name: 'Create subscription' }).click();
  await isNamed('Created: store its signing secret');
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await console.go(`#/subscriptions/${id}/secrets`);
  await page.getByRole('button', { name: /^Revoke sec_/ }).click();
  await isNamed('Revoke this secret?');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.evaluate(`location.hash = ${JSON.stringify(used.hash)}`);
  await isNamed('The new link');
  await page.getByRole('button', { name: 'Close' }).click();
  await console.go(`#/subscriptions/${id}`);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await isNamed('Delete this subscription?');
  // In front of it.
  await partner.call('DELETE', `/portal-sessions/${session}`);
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  expect(await page.locator('dialog').count()).toBe(2);
  expect(await console.broken()).toEqual([]);
});
