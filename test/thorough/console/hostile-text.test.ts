import type { MessageView } from '../../../functions/core/message/message-view.ts';
import { type Viewer, viewer } from '../../support/browser/viewer.ts';
import { happening } from '../../support/deployed/happening.ts';

let looking: Viewer;

beforeAll(async () => {
  looking = await viewer();
});
afterAll(() => looking?.close());

const HTML = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

test('what outsiders wrote is text: it runs nothing, turns nothing, and fits on a phone', async () => {
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(
    await receiver.endpoint('hostile', {
      failure_rate: 1,
      response_headers: { 'webhook-delivery': 'abort-message' },
    }),
    { description: `"><b>${HTML.slice(0, 120)}`, custom_headers: { 'x-tenant': '<b>' } },
  );
  const evil = `${HTML} \u202Egnp.exe ${'x'.repeat(5_000)}`;
  await stack.publish(happening(partner, { resource: { reference: evil } }));
  const [message] = (await partner.messages(id, ([one]) => one?.state === 'exhausted')) as [MessageView];

  const console = await looking.open('#/subscriptions', { viewport: { width: 390, height: 844 } });
  const { page } = console;
  const fits = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth');
  await page.getByText('<img src=x').first().waitFor();
  expect(await fits()).toBe(true);
  for (const hash of [`#/subscriptions/${id}`, `#/subscriptions/${id}/edit`, '#/changes']) {
    await console.go(hash);
    await page.getByText('onerror').or(page.getByText('Created the subscription')).first().waitFor();
    expect([hash, await fits()]).toEqual([hash, true]);
  }
  await console.go(`#/messages/${message.message_id}`);
  const body = page.getByRole('region', { name: 'Body' });
  await body.waitFor();
  expect(await body.innerText()).toContain('<script>document.title=2</script>');
  expect(await body.innerText()).toContain('\\u202egnp.exe');
  expect(await body.innerText()).not.toContain('\u202E');
  expect(await fits()).toBe(true);
  expect(await page.locator('img, script:not(body > script), iframe, b').count()).toBe(0);
  expect(await page.title()).toContain('Payhooks');
  // What is copied is what was sent, to the letter.
  await page.getByRole('button', { name: 'Copy body' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    (await partner.message(message.message_id)).body,
  );
  expect(console.complaints).toEqual([]);
  await console.close();
});

test('a body of a quarter megabyte is shown in part, then as a whole, and the page stays quick', async () => {
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('large'));
  const lines = Array.from({ length: 2_000 }, (_, index) => ({ line: index, text: 'y'.repeat(80) }));
  await stack.publish(happening(partner, { resource: { lines } }));
  const [message] = (await partner.messages(id, ([one]) => one?.state === 'succeeded')) as [MessageView];
  const console = await looking.open(`#/messages/${message.message_id}`);
  const { page } = console;
  const body = page.getByRole('region', { name: 'Body' });
  await body.waitFor();
  expect((await body.innerText()).length).toBeLessThan(10_000);
  const startedAt = performance.now();
  await page.getByRole('button', { name: 'Show all' }).click();
  await body.getByText('"line": 1999').waitFor();
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  await console.close();
});

test('a signature is checked in the page: the one that arrived fits, that of a changed body is told', async () => {
  const { partner, receiver, stack } = looking;
  const { id, secret } = await partner.subscribe(await receiver.endpoint('signed'));
  await stack.publish(happening(partner));
  const [message] = (await partner.messages(id, ([one]) => one?.state === 'succeeded')) as [MessageView];
  const [receipt] = await receiver.receipts('signed');
  const console = await looking.open(`#/messages/${message.message_id}`);
  const { page } = console;
  await page.getByLabel('Signing secret or public key').fill(secret);
  await page.getByRole('button', { name: 'Check the signature' }).click();
  const expected = page.getByText('With this secret the signature is v1,');
  await expected.waitFor();
  const signature = /v1,\S+/.exec(await expected.innerText())?.[0] ?? '';
  await page.getByLabel('webhook-signature').fill(signature);
  await page.getByRole('button', { name: 'Check the signature' }).click();
  await page.getByText('A v1 signature fits').waitFor();
  const received = page.getByLabel('Body that your receiver verified');
  await received.fill(JSON.stringify(JSON.parse(await received.inputValue()), null, 1));
  await page.getByRole('button', { name: 'Check the signature' }).click();
  await page.getByText('It fits the body as sent, but not yours').waitFor();
  // The copied command is signed for now, and the receiver takes it.
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByText('Copied').waitFor();
  const command = (await page.evaluate('navigator.clipboard.readText()')) as string;
  expect(command).toContain(`webhook-id: ${message.message_id}`);
  expect(command).toMatch(/webhook-signature: v1,/);
  expect(receipt).toBeDefined();
  expect(console.complaints).toEqual([]);
  await console.close();
});
