import type { ConsolePage } from '../../support/browser/console-page.ts';
import { looking } from '../../support/browser/own-viewer.ts';
import { happening } from '../../support/deployed/happening.ts';

const DEAR = '{"resource":{"amount":[{"numeric":[">",1000]}]}}';

const paid = (amount: number) => happening(looking.partner, { resource: { amount, card: 'Visa' } });
const filterOf = ({ page }: ConsolePage) => page.getByRole('textbox', { name: 'Filter (optional)' });

async function form(): Promise<ConsolePage> {
  const console = await looking.open('#/subscriptions/new');
  await console.page.getByText('Only some events, or parts of them').click();
  return console;
}

beforeAll(async () => {
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('everything'));
  await stack.publish(paid(100), paid(5_000));
  await partner.messages(id, (all) => all.length === 2 && all.every((one) => one.state === 'succeeded'));
});

test('a filter is tried on the last events while it is typed, and what it and fields leave out is told', async () => {
  const { partner, receiver, stack } = looking;
  const console = await form();
  const { page } = console;
  await filterOf(console).pressSequentially(DEAR);
  await console.shows('Takes 1 of 2.');
  const preview = page.getByRole('region', { name: 'What the filter takes' });
  const left = preview.getByRole('listitem').filter({ hasText: 'Left out' });
  expect(await left.count()).toBe(1);
  expect(await left.innerText()).toContain('refused by resource.amount');
  expect(await console.broken()).toEqual([]);
  await page.getByLabel('Try it on').selectOption('events of the last hour');
  await console.shows('Takes 1 of 2.');

  await page.getByRole('textbox', { name: 'Fields (optional)' }).fill('/amount');
  await page.getByLabel('Callback URL').fill(await receiver.endpoint('dear'));
  await page.getByRole('button', { name: 'Create subscription' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'stored' }).click();
  await page.getByRole('region', { name: 'Filter' }).getByText('"numeric"').waitFor();
  await console.shows('/amount');
  const id = /subscriptions\/(sub_[\w-]+)/.exec(page.url())?.[1] ?? '';
  expect(await partner.subscription(id)).toMatchObject({ filter: JSON.parse(DEAR), fields: ['/amount'] });

  await stack.publish(paid(200), paid(6_000));
  const [message, ...more] = await partner.messages(id, ([one]) => one?.state === 'succeeded');
  expect(more).toEqual([]);
  await console.go(`#/messages/${message?.message_id}`);
  await console.shows('Of resource only this was sent, as the subscription asks: /amount');
});

test.each([
  ['{"resource":{"amount":[]}}', 'resource.amount must not be empty'],
  ['{"resource":{"amount":[0.1000000000000000055]}}', 'resource.amount numbers have at most 15 digits'],
  ['{"total":[1]}', 'total is not in an event'],
  ['amount > 100', 'must be JSON'],
])('of %s it is said where it is wrong: %s', async (typed, said) => {
  const console = await form();
  await filterOf(console).fill(typed);
  await console.shows(said);
  expect(await filterOf(console).getAttribute('aria-invalid')).toBe('true');
  expect(await console.page.getByRole('region', { name: 'What the filter takes' }).count()).toBe(0);
});
