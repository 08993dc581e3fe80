import type { Receipt } from '../../../functions/load-lab/receiver/receipt.ts';
import { type ReceiverServer, startReceiverServer } from '../../../local/receiver-server.ts';

let server: ReceiverServer;
beforeAll(async () => {
  server = await startReceiverServer({ port: 0 });
});
afterAll(() => server.stop());

const post = (
  path: string,
  { body = '{}', headers = {}, signal = undefined as AbortSignal | undefined } = {},
) => fetch(`${server.url}${path}`, { method: 'POST', body, headers, ...(signal ? { signal } : {}) });
const set = (endpoint: string, settings: object) =>
  fetch(`${server.url}/${endpoint}/settings`, { method: 'PUT', body: JSON.stringify(settings) });
async function receipts(endpoint: string, after = 0): Promise<Receipt[]> {
  const answer = await fetch(`${server.url}/${endpoint}/receipts?after=${after}`);
  return ((await answer.json()) as { receipts: Receipt[] }).receipts;
}

test('settings in the callback URL override stored ones', async () => {
  await set('both', { failure_rate: 1, failure_status: 500 });
  expect((await post('/both?failure_status=503')).status).toBe(503);
  expect((await post('/both?failure_rate=0')).status).toBe(200);
});

test('a misspelt setting in the callback URL is answered with its name', async () => {
  const answer = await post('/misspelt?dely_ms=100');
  expect([answer.status, await answer.json()]).toEqual([
    400,
    {
      status: 400,
      title: 'The query contains an invalid setting.',
      errors: [{ field: 'dely_ms', reason: 'is not a setting' }],
    },
  ]);
});

test('a delay counts from the arrival and is on record', async () => {
  await set('slow', { delay_ms: 60 });
  await post('/slow');
  const [receipt] = await receipts('slow');
  const tookMs = Date.parse(receipt?.answered_at ?? '') - Date.parse(receipt?.received_at ?? '');
  expect(tookMs).toBeGreaterThanOrEqual(59);
});

test('a hanging endpoint holds the sender until the sender gives up', async () => {
  await set('hanging', { hang: true });
  await expect(post('/hanging', { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout');
  const [receipt] = await receipts('hanging');
  expect(receipt).toMatchObject({ number: 1 });
  expect(receipt).not.toHaveProperty('answered_at');
});

test('receipts keep the order of arrival, whatever the answers took', async () => {
  await set('order', { delay_ms: 40 });
  const slow = post('/order', { headers: { 'webhook-id': 'slow' } });
  while ((await receipts('order')).length === 0);
  await post('/order?delay_ms=0', { headers: { 'webhook-id': 'quick' } });
  await slow;
  expect((await receipts('order')).map(({ number, webhook_id }) => [number, webhook_id])).toEqual([
    [1, 'slow'],
    [2, 'quick'],
  ]);
  expect(await receipts('order', 1)).toHaveLength(1);
});

test('a forgotten endpoint behaves like one without settings', async () => {
  await set('gone', { failure_rate: 1 });
  await post('/gone');
  const answer = await fetch(`${server.url}/gone`, { method: 'DELETE' });
  expect(answer.status).toBe(204);
  expect(await receipts('gone')).toEqual([]);
  expect((await post('/gone')).status).toBe(200);
});

test.each([
  ['GET', '/'],
  ['GET', '/shop'],
  ['POST', '/shop/settings'],
  ['POST', '/not%20a%20name'],
  ['GET', '/shop/receipts/1'],
  ['GET', '//'],
])('%s %s is not found', async (method, path) => {
  expect((await fetch(`${server.url}${path}`, { method })).status).toBe(404);
});

test('a control body that is not JSON is refused', async () => {
  const answer = await fetch(`${server.url}/shop/settings`, { method: 'PUT', body: '{' });
  expect(answer.status).toBe(400);
});
