import { looking } from '../../support/browser/own-viewer.ts';
import { storeMessages } from '../../support/browser/stored-messages.ts';

let id: string;

beforeAll(async () => {
  const { partner, receiver, stack } = looking;
  ({ id } = await partner.subscribe(await receiver.endpoint('filtered')));
  await storeMessages(stack, partner, id, 2);
});

const LABELS = {
  state: 'State',
  event_type: 'Event type',
  payment_id: 'Payment',
  since: 'From',
  until: 'To',
};
const GIVEN = {
  state: 'exhausted',
  event_type: 'card_payment_captured',
  payment_id: 'pay-1',
  since: '2026-11-11T11:00:05.500Z',
  until: '2026-11-24T11:00:00.000Z',
};
const SHOWN = { ...GIVEN, since: '2026-11-11T12:00:05', until: '2026-11-24T12:00' };

const inBerlin = (hash: string) => looking.open(hash, { locale: 'en-GB', timezoneId: 'Europe/Berlin' });

test('messages filtered to nothing say so, and not that there is none, until the filter is widened', async () => {
  const console = await looking.open(`#/subscriptions/${id}/messages?payment_id=pay-9`);
  const { page } = console;
  await console.shows('No message fits. Widen the filters above.');
  expect(await page.locator('.message').count()).toBe(0);
  expect(await page.getByText('No message yet').count()).toBe(0);
  await page.getByRole('link', { name: 'Messages' }).click();
  await page.locator('.message').nth(1).waitFor();
  expect(await page.getByText('No message fits').count()).toBe(0);
});

test('an address fills the form, and is asked for as it stands', async () => {
  const console = await inBerlin('#/subscriptions');
  const { page } = console;
  const asked = page.waitForRequest(/\/messages\?/);
  await console.go(`#/subscriptions/${id}/messages?${new URLSearchParams(GIVEN)}`);
  const { searchParams } = new URL((await asked).url());
  expect(Object.fromEntries(searchParams)).toEqual({ ...GIVEN, limit: '50' });
  for (const [name, label] of Object.entries(LABELS)) {
    expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(
      SHOWN[name as keyof typeof SHOWN],
    );
  }
});

test('what is chosen in the form goes into the address and into the request, until it is taken back', async () => {
  const console = await inBerlin(`#/subscriptions/${id}/messages`);
  const { page } = console;
  await console.shows('pay-1');
  await page.getByLabel('State').selectOption('exhausted');
  await page.getByLabel('Event type').selectOption('card_payment_captured');
  await page.getByLabel('Payment').fill(' pay-1 ');
  await page.getByLabel('From', { exact: true }).fill('2025-01-01T12:00:05');
  // As people type it: the year is 2, 20 and 202 on the way.
  await page.getByLabel('From', { exact: true }).focus();
  await page.keyboard.type('11112026');
  const asked = page.waitForRequest(/payment_id=pay-1.*since=2026.*until=/);
  await page.getByLabel('To', { exact: true }).fill('2026-11-24T12:00:00');
  const wanted = { ...GIVEN, since: '2026-11-11T11:00:05.000Z' };
  const { searchParams } = new URL((await asked).url());
  expect(Object.fromEntries(searchParams)).toEqual({ ...wanted, limit: '50' });
  const parameters = () => Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.split('?')[1]));
  expect(parameters()).toEqual(wanted);
  await page.getByLabel('State').selectOption('Any');
  await page.getByLabel('To', { exact: true }).fill('');
  await page.waitForURL(({ hash }) => !hash.includes('until'));
  const { state: _, until: __, ...left } = wanted;
  expect(parameters()).toEqual(left);
});
