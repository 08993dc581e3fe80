import { looking } from '../../support/browser/own-viewer.ts';
import { storeMessages } from '../../support/browser/stored-messages.ts';
import { openStageConsole } from '../../support/browser/viewer.ts';

let id: string;
let messages: string[];

beforeAll(async () => {
  const { partner, receiver, stack } = looking;
  ({ id } = await partner.subscribe(await receiver.endpoint('searched'), { description: 'my shop' }));
  messages = await storeMessages(stack, partner, id, 30, (number) =>
    number < 3 ? { payment_id: 'pay_walked' } : {},
  );
});

test('a search by key leads from any screen to a payment, message or subscription, without the mouse', async () => {
  const console = await looking.open('#/changes');
  const { page } = console;
  await page.getByRole('heading', { name: 'Changes' }).waitFor();
  const find = async (text: string) => {
    await page.keyboard.press('/');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    await page.keyboard.type(text);
    await page.getByText('(Enter)').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await find('pay_walked');
  await page.getByRole('heading', { name: 'Payment pay_walked' }).waitFor();
  await find(messages[1] ?? '');
  await page.getByRole('heading', { name: 'card_payment_captured' }).waitFor();
  await find('/searched');
  await page.getByRole('heading', { name: 'my shop' }).waitFor();
  expect(new URL(page.url()).hash).toBe(`#/subscriptions/${id}`);
  await find(id);
  // In a field it is a slash.
  await console.go('#/payments');
  await page.getByLabel('Payment id').fill('');
  await page.getByLabel('Payment id').press('/');
  expect(await page.getByLabel('Payment id').inputValue()).toBe('/');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByLabel('Payment id').fill(messages[0] ?? '');
  await page.keyboard.press('Enter');
  await page.waitForURL(({ hash }) => hash === `#/messages/${messages[0]}`);
});

test('one walks along the messages of a payment by links and by keys, which a list names and can turn off', async () => {
  const console = await looking.open(`#/messages/${messages[0]}`);
  const { page } = console;
  const at = (number: number) => page.waitForURL(({ hash }) => hash === `#/messages/${messages[number]}`);
  await page.getByRole('link', { name: 'after: card_payment_captured' }).waitFor();
  expect(await page.getByRole('link', { name: 'before:' }).count()).toBe(0);
  await page.keyboard.press('n');
  await at(1);
  await page.getByRole('link', { name: 'before: card_payment_captured' }).waitFor();
  await page.keyboard.press('n');
  await at(2);
  // Until the second message has gone, whose link leads to the first.
  await page.getByRole('link', { name: 'after: card_payment_captured' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'before: card_payment_captured' }).click();
  await at(1);
  await page.getByRole('link', { name: 'after: card_payment_captured' }).waitFor();
  await page.keyboard.press('p');
  await at(0);

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByText('On a message: the next one of its payment').waitFor();
  expect(await console.broken()).toEqual([]);
  await help.getByLabel('Use them in this tab').uncheck();
  await help.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('/');
  await page.keyboard.press('n');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await at(0);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
});

test('on a narrow screen the filters fold into a line of what is set, each of which can be taken away', async () => {
  const filters = 'state=succeeded&payment_id=pay_walked';
  const console = await looking.open(`#/subscriptions/${id}/messages?${filters}`, {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  const { page } = console;
  await page.locator('.message').nth(2).waitFor();
  expect(await page.getByLabel('State', { exact: true }).isVisible()).toBe(false);
  const { y = 1_000 } = (await page.locator('.message').first().boundingBox()) ?? {};
  // Below header, name, tabs and two lines of what can be done, in the upper three fifths of the screen.
  expect(y).toBeLessThan(506);
  expect(await console.broken()).toEqual([]);
  await console.fits();
  await page.getByRole('button', { name: 'Payment: pay_walked (take it away)' }).click();
  await page.waitForURL(/messages\?state=succeeded$/);
  await page.locator('.message').nth(29).waitFor();
  await page.getByRole('button', { name: 'Narrow the list' }).click();
  await page.getByLabel('State', { exact: true }).selectOption('Given up');
  await page.getByRole('button', { name: 'State: Given up (take it away)' }).waitFor();
});

test('the head of the list stays in sight, below the name of the stage', async () => {
  const viewport = { width: 1_440, height: 500 };
  const headOf = async (page: Awaited<ReturnType<typeof looking.open>>['page']) => {
    await page.locator('.message').nth(29).waitFor();
    await page.evaluate('scrollTo(0, 900)');
    return (await page.getByRole('columnheader', { name: 'Accepted' }).boundingBox())?.y;
  };
  const console = await looking.open(`#/subscriptions/${id}/messages`, { viewport });
  expect(await headOf(console.page)).toBe(0);
  const ofStage = await openStageConsole(looking.browser, looking.stack, 'analyst', { viewport });
  await ofStage.go(`#/services/${looking.partner.serviceId}/subscriptions/${id}/messages`);
  const y = await headOf(ofStage.page);
  const bar = await ofStage.page.locator('.deployment').boundingBox();
  expect(y).toBeGreaterThanOrEqual((bar?.height ?? 0) - 1);
});
