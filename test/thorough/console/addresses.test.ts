import type { ConsolePage } from '../../support/browser/console-page.ts';
import { looking } from '../../support/browser/own-viewer.ts';
import { addressed, type Named, SCREENS, somethingEverywhere } from '../../support/browser/screens.ts';

let named: Named;

beforeAll(async () => {
  named = await somethingEverywhere(looking);
});

test('the back button leads back through every screen, and forward again', async () => {
  const console: ConsolePage = await looking.open('#/subscriptions');
  const way = SCREENS.filter(([name]) => !name.includes('that do not fit'));
  for (const [, hash, complete] of way) {
    await console.go(addressed(hash, named));
    await console.shows(complete);
  }
  for (const [, hash, complete] of way.toReversed().slice(1)) {
    await console.back();
    await console.shows(complete);
    await console.page.waitForURL(({ href }) => href.includes(addressed(hash, named)));
  }
  await console.page.goForward();
  await console.shows('Create subscription');
});

test('a step that only narrows a list is no step back', async () => {
  const console = await looking.open(`#/subscriptions/${named.id}`);
  const { page } = console;
  await page.getByRole('link', { name: 'Messages' }).click();
  await page.getByLabel('State').selectOption('Given up');
  await page.getByLabel('Event type').selectOption('card_payment_captured');
  await page.waitForURL(/state=exhausted/);
  await console.back();
  await console.shows('Longest attempt');
});

test.each([
  ['a stray percent sign', '#/messages/%'],
  ['a path that leads upwards', '#/subscriptions/../../portal-sessions'],
  ['a script', '#/payments/<script>alert(1)</script>'],
  ['very long', `#/messages/${'x'.repeat(5_000)}`],
  ['an unknown part', '#/subscriptions/sub_1/unknown'],
])('an address that has %s leads nowhere, and breaks nothing', async (_, hash) => {
  const console = await looking.open(hash);
  await console.shows(/There is nothing here|There is no such|No webhook of yours|could not be read/);
  await console.page.getByRole('link', { name: 'Subscriptions' }).first().click();
  await console.shows('my shop');
});
