import type { MessageView } from '../../../functions/core/message/message-view.ts';
import { looking } from '../../support/browser/own-viewer.ts';
import { busyMs } from '../../support/browser/slowdown.ts';
import { storeMessages } from '../../support/browser/stored-messages.ts';
import { happening } from '../../support/deployed/happening.ts';

test('a message is sent again from its own screen, once, and its second attempt is shown without a reload', async () => {
  const { partner, receiver, stack } = looking;
  const refusing = { failure_rate: 1, response_headers: { 'webhook-delivery': 'abort-message' } };
  const { id } = await partner.subscribe(await receiver.endpoint('again', refusing));
  await stack.publish(happening(partner));
  const [message] = (await partner.messages(id, ([one]) => one?.state === 'exhausted')) as [MessageView];
  const console = await looking.open(`#/messages/${message.message_id}`);
  const { page } = console;
  await console.shows('Given up');
  await receiver.endpoint('again');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/resend')) asked.push(request.url());
  });
  await page.getByRole('button', { name: 'Send again' }).dblclick();
  await console.shows('Attempt 2');
  await console.shows('Delivered');
  await console.shows('late');
  expect(asked).toHaveLength(1);
  expect(await receiver.receipts('again')).toHaveLength(2);
});

test('of a message that failed is said first what failed, what to do, and what came back', async () => {
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('lost'));
  const failed = (attempt: number, response_body: string) => ({
    attempt,
    started_at: `2026-11-23T11:09:0${attempt}.120Z`,
    duration_ms: 1_250,
    status_code: 404,
    failure_class: 'http_status' as const,
    failure_reason: 'answered 404',
    response_body,
  });
  const [lost = ''] = await storeMessages(stack, partner, id, 1, () => ({
    state: 'exhausted',
    state_reason: 'schedule',
    payment_id: 'pay_lost',
  }));
  const message = await partner.message(lost);
  const attempts = [failed(1, 'no such page'), failed(2, 'no such page'), failed(3, 'still none')];
  const console = await looking.open('#/payments', { timezoneId: 'UTC' });
  const { page } = console;
  await page.route(`**/v1/messages/${lost}`, (route) => route.fulfill({ json: { ...message, attempts } }));
  await console.go(`#/messages/${lost}`);
  await console.shows('Attempt 3: answered 404');
  await console.shows('see whether the callback URL has the right path, and takes POST.');
  await console.shows('23 Nov 2026, 11:09:03.120');
  // The same answer twice is unfolded once.
  await console.shows('still none');
  expect(await page.getByText('no such page').locator('visible=true').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Check the signature' }).isVisible()).toBe(false);
  expect(await console.broken()).toEqual([]);
  await page.getByRole('link', { name: 'Check the callback URL' }).click();
  await page.getByLabel('Callback URL').waitFor();
  await console.go(`#/subscriptions/${id}/messages`);
  await page
    .locator('.message')
    .getByText(/\d\d:\d\d:\d\d\.\d{3}/)
    .waitFor();
  await page.locator('.message').getByRole('link', { name: 'pay_lost' }).click();
  await page.getByRole('heading', { name: 'Payment pay_lost' }).waitFor();
});

test('a message that waits is cancelled from its own screen, once one has said yes', async () => {
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('unwanted'));
  await partner.call('POST', `/subscriptions/${id}/pause`);
  await stack.publish(happening(partner));
  const [message] = (await partner.messages(id, ([one]) => one?.state === 'parked')) as [MessageView];
  const console = await looking.open(`#/messages/${message.message_id}`);
  const { page } = console;
  const open = page.getByRole('button', { name: 'Cancel message' });
  await open.click();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await open.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel message' }).click();
  await console.shows('somebody of the service asked for it');
  expect(await open.count()).toBe(0);
  expect(await receiver.receipts('unwanted')).toEqual([]);
});

test('a message whose body was erased is not sent again, and it is said why', async () => {
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('never'));
  const [erased] = await storeMessages(stack, partner, id, 1, () => ({
    body_erased_at: '2026-11-01T00:00:00.000Z',
  }));
  const console = await looking.open(`#/messages/${erased}`);
  await console.shows('Its body was erased');
  expect(await console.page.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true);
});

test('a sample of any event type is sent from the subscription, and says in the message what it is', async () => {
  const { partner, receiver } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('sampled'));
  const console = await looking.open(`#/subscriptions/${id}`);
  const { page } = console;
  const types = page.getByLabel('What the test ping carries');
  await types.locator('option', { hasText: 'with a sample of' }).nth(6).waitFor({ state: 'attached' });
  await types.selectOption('card_payment_refunded');
  await console.shows('It arrives as sample.card_payment_refunded');
  await page.getByRole('button', { name: 'Send a test ping' }).click();
  await console.shows('The ping was delivered: 200');
  await page.getByRole('link', { name: 'Show the message' }).click();
  await console.shows('sample.card_payment_refunded');
  await console.shows('A test ping is sent only once');
});

test('new messages come by themselves until one stops them, and a filter keeps what does not fit away', async () => {
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('live'));
  const console = await looking.open(`#/subscriptions/${id}/messages`);
  const { page } = console;
  await console.shows('No message yet');
  await storeMessages(stack, partner, id, 2);
  await console.shows('pay-1');
  await page.getByLabel('Payment').fill('pay-0');
  await page.getByText('pay-1', { exact: true }).waitFor({ state: 'detached' });
  await page.locator('.message').first().waitFor();
  expect(await page.locator('.message').count()).toBe(1);
  await page.getByLabel('Payment').fill('');
  await console.shows('pay-1');
  await page.getByLabel('Show new messages as they come').uncheck();
  await page.getByRole('button', { name: 'Look now' }).waitFor();
});

test('of a message whose next attempt was to be some time ago is said that it is due, and no time that has passed', async () => {
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('due'));
  const [message = ''] = await storeMessages(stack, partner, id, 1);
  const { ended_at: _, ...sent } = await partner.message(message);
  const console = await looking.open('#/nothing');
  const { page } = console;
  await page.clock.install();
  const next_attempt_at = new Date(Date.now() + 40_000).toISOString();
  await page.route(`**/v1/messages/${message}`, (route) =>
    route.fulfill({ json: { ...sent, state: 'retrying', next_attempt_at } }),
  );
  await console.go(`#/messages/${message}`);
  await console.shows(/Next try in \d+ s\./);
  await page.clock.fastForward('00:45');
  await console.shows('Next try is due.');
  await page.clock.fastForward('02:00:00');
  await console.shows('Next try is due.');
  expect(await page.locator('main').innerText()).not.toMatch(/in -|-\d+ (s|min|h)/);
});

describe('a subscription with 10,000 messages', () => {
  let id: string;
  beforeAll(async () => {
    const { partner, receiver, stack } = looking;
    ({ id } = await partner.subscribe(await receiver.endpoint('many'), { description: 'busy shop' }));
    await storeMessages(stack, partner, id, 10_000, (number) =>
      number === 7 ? { state: 'exhausted', state_reason: 'schedule', last_status_code: 503 } : {},
    );
  });

  test('is paged through, newest first and none twice, and stays quick', async () => {
    const console = await looking.open(`#/subscriptions/${id}/messages`);
    const { page } = console;
    await console.shows('pay-9999');
    for (let pages = 1; pages <= 10; pages += 1) {
      expect(await page.locator('.message').count()).toBe(pages * 50);
      await page.getByRole('button', { name: 'Show older messages' }).click();
      await page
        .locator('.message')
        .nth(pages * 50)
        .waitFor();
    }
    const payments = await page.locator('.message-payment').allInnerTexts();
    expect(payments.slice(0, 550)).toEqual(payments.slice(0, 550).map((_, index) => `pay-${9_999 - index}`));
    const busy = await busyMs(page, async () => {
      await page.getByLabel('Event type').selectOption('card_payment_captured');
      await page.locator('.message').first().waitFor();
      await page.getByLabel('Event type').selectOption('Any');
      await console.shows('pay-9999');
    });
    expect(busy).toBeLessThan(5_000);
  });

  test('keeps what was listed for whoever comes back, also from its endpoint in trouble', async () => {
    const console = await looking.open(`#/subscriptions/${id}/messages`, {
      viewport: { width: 390, height: 700 },
    });
    const { page } = console;
    // While a circuit is open, its subscription reads the newest messages, too.
    const { body } = await looking.partner.call('GET', `/subscriptions/${id}`);
    const circuit = { ...body.circuit, state: 'open', next_probe_at: new Date().toISOString() };
    await page.route(`**/v1/subscriptions/${id}`, (route) => route.fulfill({ json: { ...body, circuit } }));
    await page.getByRole('button', { name: 'Show older messages' }).click();
    await page.locator('.message').nth(99).waitFor();
    await page.locator('.message').nth(99).locator('.message-type').click();
    await console.shows('Headers and signature');
    const newest = page.waitForResponse((response) => response.url().endsWith(`${id}/messages?limit=50`));
    await page.evaluate(`location.assign('#/subscriptions/${id}')`);
    await newest;
    await console.back();
    await console.back();
    await page.locator('.message').nth(99).waitFor();
    await console.fits();
  });

  test.each(['payment_id=pay-7', 'state=exhausted'])(
    'finds the one that failed among them at once, by %s',
    async (filter) => {
      const console = await looking.open(`#/subscriptions/${id}/messages?${filter}`);
      await console.page.locator('.message').getByText('503').waitFor();
      expect(await console.page.locator('.message').count()).toBe(1);
    },
  );
});
