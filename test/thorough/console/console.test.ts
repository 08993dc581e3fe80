import { type ConsolePage, openConsole, signIn } from '../../support/browser/console-page.ts';
import { looking } from '../../support/browser/own-viewer.ts';
import { openStageConsole } from '../../support/browser/viewer.ts';
import { happening } from '../../support/deployed/happening.ts';
import { eventually } from '../../support/eventually.ts';

let console: ConsolePage;

beforeAll(async () => {
  console = await openConsole(looking.browser, looking.stack.outputs.apiUrl);
});

/** Gives a message up at once, as a receiver may ask for. */
const BROKEN = {
  failure_rate: 1,
  failure_status: 500,
  response_headers: { 'webhook-delivery': 'abort-message' },
};

test('in the console a partner registers an endpoint, sees it break, and recovers what was given up', async () => {
  const { page } = console;
  const endpoint = await looking.receiver.endpoint('console');
  await signIn(console, looking.partner.token);

  await page.getByText('No subscription yet').waitFor();
  await page.getByRole('link', { name: 'Create your first subscription' }).click();
  const url = page.getByLabel('Callback URL');
  await url.fill('ftp://shop.example');
  await page.getByLabel('Description').fill('my shop');
  await page.getByRole('button', { name: 'Create subscription' }).click();
  await console.focusIsOn(url.and(page.locator('[aria-invalid=true]')));
  await console.shows('must be a URL such as');
  expect(await page.getByLabel('Description').inputValue()).toBe('my shop');
  await url.fill(endpoint);
  await page.getByRole('button', { name: 'Create subscription' }).click();
  const secret = await page.getByRole('dialog').locator('pre').innerText();
  expect(secret).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'I have stored it' }).click();

  await page.getByRole('heading', { name: 'my shop' }).waitFor();
  await page.getByText('Messages are sent as they arrive').waitFor();
  await page.getByRole('button', { name: 'Send a test ping' }).click();
  await page.getByText('The ping was delivered: 200').waitFor();

  await looking.receiver.endpoint('console', BROKEN);
  await page.getByRole('link', { name: 'Messages' }).click();
  await page.getByRole('link', { name: 'ping', exact: true }).waitFor();
  const event = happening(looking.partner, { payment_id: 'pay-console' });
  await looking.stack.publish(event);
  // Nobody reloads: the row comes by itself.
  await page.locator('.message', { hasText: 'pay-console' }).getByText('Given up').waitFor();
  await page.locator('.message', { hasText: 'pay-console' }).locator('.message-type').click();
  await page.getByText('the receiver asked in its answer not to be sent it again').waitFor();
  await page.getByText('Attempt 1', { exact: true }).waitFor();

  await looking.receiver.endpoint('console');
  await page.getByRole('link', { name: 'Messages of my shop' }).click();
  await page.getByRole('link', { name: 'Recover' }).click();
  await page.getByRole('button', { name: 'Count them' }).click();
  await page.getByText('This would send again: 1 message').waitFor();
  await page.getByRole('button', { name: 'Send them again' }).click();
  await page.getByText('1 message sent again').waitFor();
  await page.getByRole('link', { name: 'What became of them' }).click();
  await page.locator('.message', { hasText: 'pay-console' }).getByText('Delivered').waitFor();

  await page.locator('.message', { hasText: 'pay-console' }).locator('.message-type').click();
  await page.getByRole('link', { name: 'pay-console' }).click();
  await page.getByRole('img', { name: '1 message to 1 subscription' }).waitFor();
  const course = page.locator('details', { hasText: '2 attempts' });
  await course.waitFor();
  // Folded, unless the message was delivered while somebody looked.
  if ((await course.getAttribute('open')) === null) {
    await course.locator('summary').click();
  }
  await page.getByText('attempt 2: 200 after').waitFor();

  await page.getByRole('link', { name: 'Changes' }).click();
  await page.getByText('Started a recovery').waitFor();
  await page.getByText('Created the subscription').waitFor();
});

test('the address of a screen opens it again, after a reload too, and holds no token', async () => {
  const { page } = console;
  const [{ subscription_id: id }] = (await looking.partner.call('GET', '/subscriptions')).body.subscriptions;
  await console.go(`#/subscriptions/${id}/messages?state=succeeded`);
  await page.getByLabel('State').waitFor();
  expect(await page.getByLabel('State').inputValue()).toBe('succeeded');
  expect(page.url()).not.toContain(looking.partner.token);
  await page.reload();
  await page.getByLabel('State').waitFor();
  expect(await page.getByLabel('State').inputValue()).toBe('succeeded');
  expect(await page.context().storageState()).toEqual({ cookies: [], origins: [] });
  await console.back();
  await console.shows('Started a recovery');
});

test('a link from the API signs in once, and signing out ends its session', async () => {
  const { body: made } = await looking.partner.call('POST', '/portal-sessions', { rights: 'read' });
  const linked = await openConsole(
    looking.browser,
    looking.stack.outputs.apiUrl,
    made.console_path.replace('/v1/console', ''),
  );
  const { page } = linked;
  await page.getByText('Read only').waitFor();
  await page.getByRole('link', { name: 'my shop' }).waitFor();
  expect(page.url()).not.toContain('phc_');
  expect((await looking.partner.call('GET', '/portal-sessions')).body.portal_sessions).toHaveLength(1);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await eventually('the session has ended', async () => {
    const { body } = await looking.partner.call('GET', '/portal-sessions');
    return body.portal_sessions.length === 0;
  });
  await linked.go(made.console_path.replace('/v1/console', ''));
  await page.getByText('This link does not work').waitFor();
});

test('the person on call signs in to the whole stage, and comes from Health to the endpoint of any service', async () => {
  const [{ subscription_id: id }] = (await looking.partner.call('GET', '/subscriptions')).body.subscriptions;
  const ofStage = await openStageConsole(looking.browser, looking.stack, 'on-call');
  const { page } = ofStage;
  await page.getByRole('row', { name: /Messages to deliver/ }).waitFor();
  await page.getByLabel('Id of the service').fill(looking.partner.serviceId);
  await page.getByRole('button', { name: 'Show its subscriptions' }).click();
  await page.locator(`a[href="#/services/${looking.partner.serviceId}/subscriptions/${id}"]`).click();
  await page.getByRole('link', { name: 'Messages' }).waitFor();
});
