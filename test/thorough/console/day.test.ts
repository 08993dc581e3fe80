import { looking } from '../../support/browser/own-viewer.ts';
import { storeMessages } from '../../support/browser/stored-messages.ts';
import { eventually } from '../../support/eventually.ts';

let id: string;

beforeAll(async () => {
  const { partner, receiver, stack } = looking;
  ({ id } = await partner.subscribe(await receiver.endpoint('day'), { description: 'my shop' }));
  // One minute of them may be in the hour before.
  await storeMessages(stack, partner, id, 40, (number) => ({
    time_to_send_ms: 100,
    ...(number % 4 === 0
      ? {
          state: 'exhausted' as const,
          state_reason: 'schedule' as const,
          last_failure_class: 'timeout' as const,
        }
      : {}),
  }));
  await eventually('all are counted', async () => {
    const { body } = await partner.call('GET', `/subscriptions/${id}/statistics`);
    const sum = (name: string) =>
      body.periods.reduce((all: number, one: Record<string, number>) => all + (one[name] ?? 0), 0);
    return sum('delivered') === 30 && sum('failed_attempts') === 10;
  });
});

test('the last day is told as success rate and p95 by the hour: as a chart, in figures and as a table', async () => {
  const console = await looking.open(`#/subscriptions/${id}`);
  const { page } = console;
  // 100 ms are in the bucket that ends at 107.
  await page
    .getByRole('img', {
      name: 'In all 75 %: 30 delivered, 10 failed attempts. p95 of the worst period: 107 ms.',
    })
    .waitFor();
  await page.getByText('The same in numbers').click();
  expect(await page.getByRole('region', { name: 'The same in numbers' }).innerText()).toContain('107 ms');
  expect(await page.locator('.dot.tone-1').count()).toBeGreaterThan(0);
});

test('an hour is told by its messages in twelve parts, a week and four weeks by their days', async () => {
  const console = await looking.open(`#/subscriptions/${id}`, { colorScheme: 'dark' });
  const { page } = console;
  for (const [range, title, periods] of [
    ['1 h', 'Last hour', 12],
    ['28 d', 'Last 28 days', 28],
    ['7 d', 'Last 7 days', 7],
  ] as const) {
    await page.getByRole('button', { name: range, exact: true }).click();
    await page.getByRole('heading', { name: title }).waitFor();
    await page.getByRole('img', { name: 'In all 75 %: 30 delivered, 10 failed attempts.' }).waitFor();
    if (range === '1 h') await console.shows('Of the latest 40 messages, accepted since');
    await eventually(
      'each period has a place',
      async () => (await page.locator('.chart .here').count()) === periods,
    );
  }
  expect(await console.broken()).toEqual([]);
});

test('of an endpoint that fails is said what to do first, and that it is back, once in a minute', async () => {
  const { partner, receiver, stack } = looking;
  const { id: failing } = await partner.subscribe(await receiver.endpoint('back'));
  await storeMessages(stack, partner, failing, 3, () => ({
    state: 'exhausted',
    state_reason: 'schedule',
    last_failure_class: 'http_status',
    last_status_code: 401,
  }));
  const { body } = await partner.call('GET', `/subscriptions/${failing}`);
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const circuit = { state: 'open', since: ago(9), in_trouble_since: ago(30), next_probe_at: ago(-5) };
  const console = await looking.open('#/payments');
  const { page } = console;
  await page.route(`**/v1/subscriptions/${failing}`, (route) =>
    route.fulfill({ json: { ...body, circuit } }),
  );
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/probe')) asked.push(request.method());
  });
  await console.go(`#/subscriptions/${failing}`);
  await console.shows('401 from 100 %');
  await console.shows('First: see which secret the endpoint verifies with');
  expect(await console.broken()).toEqual([]);
  const back = page.getByRole('button', { name: 'It is back: try now' });
  await back.dblclick();
  // What it was asked is real, and it delivers all the while.
  await console.shows('there is nothing to probe');
  expect(asked).toEqual(['POST']);
  await page.getByRole('link', { name: 'A message that failed so' }).click();
  await page.getByRole('heading', { level: 1, name: 'card_payment_captured' }).waitFor();
});

test('a figure leads to the messages that it counts', async () => {
  const console = await looking.open(`#/subscriptions/${id}`);
  const { page } = console;
  await page.getByRole('link', { name: '30', exact: true }).click();
  await page.waitForURL(/state=succeeded&since=/);
  await page.locator('.message').nth(29).waitFor();
  expect(await page.locator('.message').count()).toBe(30);
});

test('the list tells the same of each subscription in small', async () => {
  const console = await looking.open('#/subscriptions');
  await console.page
    .getByRole('img', {
      name: 'Last 24 hours: success rate 75 %, time to send with ordering wait at p95 of the worst hour 107 ms',
    })
    .waitFor();
});
