import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { MessageView } from '../../../functions/core/message/message-view.ts';
import { looking } from '../../support/browser/own-viewer.ts';
import { busyMs } from '../../support/browser/slowdown.ts';
import { storeMessages } from '../../support/browser/stored-messages.ts';
import { happening } from '../../support/deployed/happening.ts';

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
  await page.getByText('<img src=x').first().waitFor();
  await console.fits();
  for (const hash of [`#/subscriptions/${id}`, `#/subscriptions/${id}/edit`, '#/changes']) {
    await console.go(hash);
    await page.getByText('onerror').or(page.getByText('Created the subscription')).first().waitFor();
    await console.fits();
  }
  await console.go(`#/messages/${message.message_id}`);
  const body = page.getByRole('region', { name: 'Body' });
  await body.waitFor();
  expect(await body.innerText()).toContain('<script>document.title=2</script>');
  expect(await body.innerText()).toContain('\\u202egnp.exe');
  expect(await body.innerText()).not.toContain('\u202E');
  await console.fits();
  expect(await page.locator('img, script:not(body > script), iframe, b').count()).toBe(0);
  expect(await page.title()).toContain('Payhooks');
  // What is copied is what was sent, to the letter.
  await page.getByRole('button', { name: 'Copy body' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    (await partner.message(message.message_id)).body,
  );
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
  const busy = await busyMs(page, async () => {
    await page.getByRole('button', { name: 'Show all' }).click();
    await body.getByText('"line": 1999').waitFor();
  });
  expect(busy).toBeLessThan(5_000);
});

test('a signature is checked in the page: the one that arrived fits, that of a changed body is told', async () => {
  const { partner, receiver, stack } = looking;
  const { id, secret } = await partner.subscribe(await receiver.endpoint('signed'));
  await stack.publish(happening(partner));
  const [message] = (await partner.messages(id, ([one]) => one?.state === 'succeeded')) as [MessageView];
  const [receipt] = await receiver.receipts('signed');
  const console = await looking.open(`#/messages/${message.message_id}`);
  const { page } = console;
  await page.getByText('Headers and signature').click();
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
});

/** What acts on a reader instead of showing itself. */
const ACTIVE = /(?![\n\t])[\p{Cc}\p{Cf}]/u;

/** What a partner's endpoint may have answered, and what nobody may see of it but its text. */
const ANSWERS = [
  ['a script', '<script>document.title="evil"</script>', '<script>document.title="evil"</script>'],
  ['an attribute that runs', '"><svg onload=alert(1)>', '"><svg onload=alert(1)>'],
  ['control characters', 'a\u0000\u001b[2Jb', 'a\\u0000\\u001b[2Jb'],
  ['a link', '[click](javascript:alert(1))', '[click](javascript:alert(1))'],
] as const;

test.each(ANSWERS)('%s in an answer or a body is shown as text, and fits', async (_, text, seen) => {
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('answers'));
  const [message] = await storeMessages(stack, partner, id, 1, () => ({
    state: 'exhausted',
    state_reason: 'schedule',
    last_failure_class: 'http_status',
    last_status_code: 500,
    resource: JSON.stringify({ note: text }),
    first_attempt: {
      attempt: 1,
      started_at: new Date().toISOString(),
      duration_ms: 5,
      status_code: 500,
      failure_class: 'http_status',
      failure_reason: `answered 500 ${text.slice(0, 100)}`,
      response_body: text,
    },
  }));
  const console = await looking.open(`#/messages/${message}`, {
    viewport: { width: 390, height: 844 },
  });
  await console.shows(seen);
  expect(await console.page.locator('main').innerText()).not.toMatch(ACTIVE);
  expect(await console.page.locator('svg[onload], main script, a[href^="javascript"]').count()).toBe(0);
  expect(await console.page.title()).toContain('Payhooks');
  await console.fits();
});

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

test('an answer that is no UTF-8 is shown as far as it is text', async () => {
  const { partner, stack } = looking;
  const bytes = Buffer.from([0x61, 0xff, 0xfe, 0x62, 0xc3, 0x28, 0x63, 0xed, 0xa0, 0x80, 0x64]);
  server = createServer((_, response) => {
    response.writeHead(500, {
      'webhook-delivery': 'abort-message',
      'content-type': 'text/plain; charset=utf-8',
    });
    response.end(bytes);
  });
  await new Promise<void>((resolve) => {
    server?.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const { id } = await partner.subscribe(`http://127.0.0.1:${port}/`);
  await stack.publish(happening(partner));
  const [message] = (await partner.messages(id, ([one]) => one?.state === 'exhausted')) as [MessageView];
  const console = await looking.open(`#/messages/${message.message_id}`);
  await console.shows(/a\uFFFD+b\uFFFD\(c\uFFFD+d/);
});

test('a description that an old version let through turns nothing on any screen that names it', async () => {
  const { partner, receiver, stack } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('described'));
  await stack.dynamodb.send(
    new UpdateItemCommand({
      TableName: stack.outputs.tables.subscriptions,
      Key: marshall({ service_id: partner.serviceId, item: id }),
      UpdateExpression: 'SET description = :text',
      ExpressionAttributeValues: marshall({ ':text': 'gnp.\u202Eexe<b>\u0007' }),
    }),
  );
  const console = await looking.open('#/subscriptions', { viewport: { width: 390, height: 844 } });
  for (const hash of ['#/subscriptions', `#/subscriptions/${id}`, `#/subscriptions/${id}/messages`]) {
    await console.go(hash);
    await console.shows('gnp.\\u202eexe<b>\\u0007');
    expect(await console.page.title()).not.toMatch(ACTIVE);
  }
});
