import { looking } from '../../support/browser/own-viewer.ts';
import { storeMessages } from '../../support/browser/stored-messages.ts';
import { eventually } from '../../support/eventually.ts';

const GIVEN_UP = { state: 'exhausted', state_reason: 'schedule', last_failure_class: 'http_status' } as const;

test('a selection is counted, sent again as one recovery that continues by itself, and nothing else is sent', async () => {
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('narrowed'));
  await storeMessages(stack, partner, id, 300, (number) => ({
    ...GIVEN_UP,
    event_type: number < 250 ? 'card_payment_captured' : 'card_payment_refunded',
  }));
  const console = await looking.open(`#/subscriptions/${id}/recover`);
  const { page } = console;
  await page.getByLabel('What').selectOption('Given up');
  await page.getByLabel('Event type').selectOption('card_payment_captured');
  await page.getByRole('button', { name: 'Count them' }).click();
  await console.shows('This would send again: 250 messages');
  // For this page it never ends.
  await page.route(/\/recoveries\/rec_[^/]+$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), state: 'running' } });
  });
  await page.getByRole('button', { name: 'Send them again' }).click();
  await page.locator('progress[max="250"]').waitFor();
  // It continues without whoever started it.
  const address = page.url();
  await console.go('#/subscriptions');
  await console.shows('test');
  await page.goto('about:blank');
  await page.goBack();
  expect(page.url()).toBe(address.replace(/#.*/, '#/subscriptions'));
  const messages = (type: string) =>
    partner.call('GET', `/subscriptions/${id}/messages?limit=100&event_type=${type}&state=exhausted`);
  const { body } = await messages('card_payment_refunded');
  expect(body.messages).toHaveLength(50);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await console.close();
  const again = await looking.open(address.slice(address.indexOf('#')));
  await again.shows('250 messages sent again');
  await again.shows('given up · card_payment_captured');
  // From yesterday until today: both days are told.
  await again.shows(/Accepted \d+ \w+ \d{4}, [\d:]+ – \d+ \w+ \d{4}, /);
  await eventually('none of them is given up any more', async () => {
    const { body } = await messages('card_payment_captured');
    return body.messages.length === 0;
  });
});

test('while one runs, a second one is not started, and leads to the first', async () => {
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('running'));
  await storeMessages(stack, partner, id, 400, () => GIVEN_UP);
  const console = await looking.open(`#/subscriptions/${id}/recover`);
  const { page } = console;
  await page.getByRole('button', { name: 'Count them' }).click();
  await console.shows('This would send again: 400 messages');
  // Somebody else is quicker, by a moment.
  let running = '';
  await page.route(/\/recoveries$/, async (route) => {
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const { body } = await partner.call('POST', `/subscriptions/${id}/recoveries`, { since });
    running = body.recovery_id;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Send them again' }).click();
  await page.getByRole('button', { name: 'Show the recovery that is running' }).click();
  await page.waitForURL(({ hash }) => hash.includes(`recovery_id=${running}`));
  await console.shows('sent again.');
});

test('what a list of messages is narrowed to is what is offered to send again, and stays in the address', async () => {
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('from-the-list'));
  await storeMessages(stack, partner, id, 5, (number) => ({
    ...GIVEN_UP,
    event_type: number < 3 ? 'card_payment_captured' : 'card_payment_refunded',
  }));
  const console = await looking.open(`#/subscriptions/${id}/messages`);
  const { page } = console;
  const link = page.getByRole('link', { name: 'Send what failed of these again' });
  await page.getByLabel('State').selectOption('Delivered');
  await page.getByRole('link', { name: 'Send these again' }).waitFor();
  expect(await link.count()).toBe(0);
  await page.getByLabel('State').selectOption('Given up');
  await page.getByLabel('Event type').selectOption('card_payment_captured');
  await link.click();
  await page.getByRole('button', { name: 'Count them' }).click();
  await console.shows('This would send again: 3 messages');
  expect(await page.getByLabel('What').inputValue()).toBe('exhausted');
  await page.getByLabel('Event type').selectOption('card_payment_refunded');
  await page.getByText('This would send again').waitFor({ state: 'detached' });
  const { hash } = new URL(page.url());
  await console.close();
  const again = await looking.open(hash);
  await again.page.getByRole('button', { name: 'Count them' }).click();
  await again.shows('This would send again: 2 messages');
});

test('the count of a selection that was changed is ended, and never shown', async () => {
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('changed'));
  await storeMessages(stack, partner, id, 3, () => GIVEN_UP);
  const console = await looking.open(`#/subscriptions/${id}/recover`);
  const { page } = console;
  const { promise: late, resolve: comes } = Promise.withResolvers<void>();
  await page.route(/recoveries\/preview$/, async (route) => {
    await late;
    await route.continue().catch(() => {});
  });
  const asked = page.waitForRequest(/recoveries\/preview$/);
  await page.getByRole('button', { name: 'Count them' }).click();
  await asked;
  await page.getByLabel('What').selectOption('Cancelled');
  comes();
  // Ended by the page: it has no answer.
  expect(await (await asked).response()).toBeNull();
  await page.getByRole('button', { name: 'Count them' }).click();
  await console.shows('Nothing fits');
});

test('what was delivered is sent again by payments and a filter, counted first, and stopped halfway', async () => {
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('chosen'));
  await storeMessages(stack, partner, id, 6, (number) => ({
    ...{
      state: 'succeeded',
      payment_id: `pay-${number}`,
      ended_at: new Date(Date.now() - 60_000).toISOString(),
    },
    resource: JSON.stringify({ amount: 100 * number }),
  }));
  const console = await looking.open(`#/subscriptions/${id}/recover`);
  const { page } = console;
  await page.getByLabel('What').selectOption('Delivered');
  await page.getByLabel('Only payments').fill('pay-1, pay-2\npay-3 pay-of-nobody');
  await page.getByLabel('Filter').fill('{"resource":');
  await page.getByRole('button', { name: 'Count them' }).click();
  await console.shows('must be JSON');
  await page.getByLabel('Filter').fill('{"resources":{"amount":[200]}}');
  await page.getByRole('button', { name: 'Count them' }).click();
  await console.shows('resources is not in an event');
  await page.getByLabel('Filter').fill('{"resource":{"amount":[200,300]}}');
  await page.getByRole('button', { name: 'Count them' }).click();
  await console.shows('This would send again: 2 messages');
  expect(await console.broken()).toEqual([]);
  // For this page it runs until it is stopped.
  let isStopped = false;
  await page.route(/\/recoveries\/rec_[^/]+$/, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    await route.fulfill({ response, json: isStopped ? json : { ...json, state: 'running' } });
  });
  await page.getByRole('button', { name: 'Send them again' }).click();
  await console.shows('2 messages sent again');
  await console.shows('4 payments');
  const asked = page.waitForRequest(/\/stop$/);
  await page.getByRole('button', { name: 'Stop' }).click();
  expect((await asked).method()).toBe('POST');
  // Not before it was pressed: of a recovery that is done the button goes.
  isStopped = true;
  await console.shows('Done');
});
