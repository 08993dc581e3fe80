import { readFile } from 'node:fs/promises';
import type { MessageView } from '../../../functions/core/message/message-view.ts';
import type { ConsolePage } from '../../support/browser/console-page.ts';
import { looking } from '../../support/browser/own-viewer.ts';
import { busyMs } from '../../support/browser/slowdown.ts';
import { storeMessages } from '../../support/browser/stored-messages.ts';
import { happening } from '../../support/deployed/happening.ts';
import { eventually } from '../../support/eventually.ts';

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

  /** Of the rows that are drawn, in order. */
  const paymentsOf = ({ page }: ConsolePage) => page.locator('.message-payment').allInnerTexts();

  const listed = ({ page }: ConsolePage, atLeast: number) =>
    eventually(`${atLeast} are listed`, async () => {
      const rows = await page.locator('.messages').getAttribute('aria-rowcount');
      return Number(rows) > atLeast;
    });

  test('is read by scrolling, newest first and none twice, with few rows drawn, and stays quick', async () => {
    const console = await looking.open(`#/subscriptions/${id}/messages`);
    const { page } = console;
    await console.shows('pay-9999');
    const busy = await busyMs(page, async () => {
      for (let older = 9_900; older >= 8_000; older -= 100) {
        await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
        await listed(console, 10_000 - older + 1);
      }
    });
    expect(busy).toBeLessThan(20_000);
    expect(await page.locator('.message').count()).toBeLessThan(100);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight / 2)');
    await eventually('what is there is drawn', async () => !(await paymentsOf(console)).includes('pay-8000'));
    const drawn = await paymentsOf(console);
    const [first = ''] = drawn;
    const number = Number(first.slice(4));
    expect(drawn).toEqual(drawn.map((_, index) => `pay-${number - index}`));
    expect(await page.locator('.message').first().getAttribute('aria-rowindex')).toBe(
      String(10_001 - number),
    );
    const narrowed = await busyMs(page, async () => {
      await page.getByLabel('Event type').selectOption('card_payment_captured');
      await page.locator('.message').first().waitFor();
      await page.getByLabel('Event type').selectOption('Any');
      await console.shows('pay-9999');
    });
    expect(narrowed).toBeLessThan(5_000);
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
    await listed(console, 200);
    const row = page.locator('.message').nth(20);
    const payment = await row.locator('.message-payment').innerText();
    await row.locator('.message-type').click();
    await console.shows('Headers and signature');
    const newest = page.waitForResponse((response) => response.url().endsWith(`${id}/messages?limit=50`));
    await page.evaluate(`location.assign('#/subscriptions/${id}')`);
    await newest;
    await console.back();
    await console.back();
    await listed(console, 200);
    await console.shows(payment);
    await console.fits();
  });
});

describe('a list of messages, some of which failed', () => {
  let id: string;
  beforeAll(async () => {
    const { partner, receiver, stack } = looking;
    ({ id } = await partner.subscribe(await receiver.endpoint('worked'), { description: 'worked through' }));
    await storeMessages(stack, partner, id, 40, (number) =>
      number % 10 === 9
        ? {
            payment_id: `pay_failed_${number}`,
            state: 'exhausted',
            state_reason: 'schedule',
            last_failure_class: 'http_status',
            last_status_code: 503,
          }
        : {},
    );
    await eventually('they are counted', async () => {
      const { body } = await partner.call('GET', `/subscriptions/${id}/statistics`);
      return body.periods.reduce((all: number, one: { exhausted: number }) => all + one.exhausted, 0) === 4;
    });
  });

  test('one step leads to all that failed, with their number, and each says when, what and how long', async () => {
    const console = await looking.open(`#/subscriptions/${id}/messages`, { timezoneId: 'UTC' });
    const { page } = console;
    await page
      .getByRole('navigation', { name: 'Quick choice' })
      .getByRole('link', { name: 'Given up 4' })
      .click();
    await page.waitForURL(/messages\?state=exhausted$/);
    // The address changes before the list of all has gone.
    await page.locator('.message').nth(4).waitFor({ state: 'detached' });
    await page.locator('.message').nth(3).waitFor();
    expect(await page.locator('.message').count()).toBe(4);
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      '',
      'Accepted',
      'Event type',
      'Payment',
      'State',
      'Attempts',
      'Took',
      'Answer',
    ]);
    const cells = page.locator('.message').first().getByRole('cell');
    expect((await cells.allInnerTexts()).slice(2)).toEqual([
      'card_payment_captured',
      'pay_failed_39',
      '▲ Given up',
      '1',
      '0 ms',
      '503 · no retries left',
    ]);
    expect(await cells.nth(1).innerText()).toMatch(/\d\d:\d\d:\d\d\.\d{3}$/);
  });

  test('a line opens beside the list, keys move on from there, and the address holds it', async () => {
    const viewport = { width: 1_440, height: 800 };
    const console = await looking.open(`#/subscriptions/${id}/messages`, { viewport });
    const { page } = console;
    const row = (number: number) => page.locator('.message').nth(number);
    const opened = page.getByRole('region', { name: 'Message', exact: true });
    await row(2).locator('.message-answer').click();
    await opened.getByText('Attempt 1').waitFor();
    expect(await row(2).getAttribute('aria-current')).toBe('true');
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await opened.getByRole('link', { name: 'pay_failed_39' }).waitFor();
    await opened.getByText('Given up at').waitFor();
    expect(await console.broken()).toEqual([]);
    await console.fits();
    const other = await looking.open(new URL(page.url()).hash, { viewport, colorScheme: 'dark' });
    await other.page.getByRole('region', { name: 'Message', exact: true }).getByText('Attempt 1').waitFor();
    expect(await other.broken()).toEqual([]);
    for (let pressed = 0; pressed < 12; pressed += 1) await page.keyboard.press('j');
    await opened.getByRole('link', { name: 'pay-27' }).waitFor();
    expect(await page.locator('.message.open .message-payment').innerText()).toBe('pay-27');
    // Where there is room, its body stands beside its attempts.
    await page.setViewportSize({ width: 1_920, height: 800 });
    const topOf = async (name: string) => (await opened.getByRole('heading', { name }).boundingBox())?.y;
    await eventually(
      'they begin at one height',
      async () => (await topOf('Body')) === (await topOf('Attempts')),
    );
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'detached' });
    await row(0).getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'card_payment_captured' }).waitFor();
  });

  test('what is chosen is sent again, and saved as CSV', async () => {
    const { receiver } = looking;
    const console = await looking.open(`#/subscriptions/${id}/messages?state=exhausted`);
    const { page } = console;
    await page.locator('.message').nth(3).waitFor();
    await page.getByRole('checkbox', { name: /^Choose .* pay_failed_9$/ }).check();
    await page.getByRole('checkbox', { name: /^Choose .* pay_failed_29$/ }).check();
    await console.shows('2 messages chosen');
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('messages.csv');
    const lines = (await readFile(await saved.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe(
      'admitted_at,event_type,payment_id,message_id,state,state_reason,attempt_count,took_ms,last_answer',
    );
    expect(lines.slice(1).map((line) => line.split(',').toSpliced(3, 1).slice(1).join())).toEqual([
      'card_payment_captured,pay_failed_29,exhausted,schedule,1,0,503',
      'card_payment_captured,pay_failed_9,exhausted,schedule,1,0,503',
      '',
    ]);
    await page.getByRole('button', { name: 'Send 2 again' }).click();
    await console.shows('2 of 2 will be sent again.');
    await eventually('both came', async () => (await receiver.receipts('worked')).length === 2);
    await page.getByRole('checkbox', { name: 'Choose all that are listed' }).check();
    expect(await console.broken()).toEqual([]);
  });
});
