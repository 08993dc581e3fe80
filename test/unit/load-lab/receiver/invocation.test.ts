import { invoked } from '../../../../functions/load-lab/receiver/invocation.ts';
import { memoryStore } from '../../../../functions/load-lab/receiver/store/memory-store.ts';

const plenty = { getRemainingTimeInMillis: () => 60_000 };

function receiver({ controlIsOpen = false } = {}) {
  const store = memoryStore();
  const ports = {
    store,
    settingsOf: store.settingsOf,
    nowMs: () => Date.parse('2026-01-01T12:00:00Z'),
    roll: () => ({ delay: 0, failure: 0 }),
    controlIsOpen,
  };
  return {
    invoke: (event: unknown, timeLeft = plenty) => invoked(event, timeLeft, ports),
    request: (method: string, path: string, more: object = {}, timeLeft = plenty) => {
      const [rawPath, rawQueryString = ''] = path.split('?');
      const event = {
        version: '2.0',
        rawPath,
        rawQueryString,
        headers: { 'webhook-id': 'msg_1' },
        requestContext: { http: { method } },
        isBase64Encoded: false,
        ...more,
      };
      return invoked(event, timeLeft, ports);
    },
  };
}

test('a webhook to the function URL is answered and recorded', async () => {
  const { invoke, request } = receiver();
  const body = '{"resource_type":"payment","resource_id":"pay_1","event_type":"card_payment_settled"}';
  expect(await request('POST', '/shop', { body })).toEqual({ statusCode: 200, headers: {}, body: '' });
  expect(await invoke({ control: { method: 'GET', path: '/shop/receipts?after=0' } })).toMatchObject({
    status: 200,
    body: { receipts: [{ number: 1, webhook_id: 'msg_1', payment_id: 'pay_1', status: 200 }] },
  });
});

test('a base64 body is decoded', async () => {
  const { invoke, request } = receiver();
  const body = Buffer.from('{"event_type":"é"}').toString('base64');
  await request('POST', '/shop', { body, isBase64Encoded: true });
  expect(await invoke({ control: { method: 'GET', path: '/shop/receipts' } })).toMatchObject({
    body: { receipts: [{ event_type: 'é' }] },
  });
});

test('whoever may invoke the function may control it', async () => {
  const { invoke, request } = receiver();
  await invoke({
    control: { method: 'PUT', path: '/shop/settings', body: { failing_resource_id: 'pay_1' } },
  });
  expect(await request('POST', '/shop', { body: '{"resource_id":"pay_1"}' })).toMatchObject({
    statusCode: 500,
  });
});

test('the function URL does not reveal control requests when they are closed', async () => {
  const { request } = receiver();
  for (const [method, path] of [
    ['PUT', '/shop/settings'],
    ['GET', '/shop/receipts'],
    ['DELETE', '/shop'],
  ] as const) {
    expect(await request(method, path, { body: '{}' })).toMatchObject({ statusCode: 404 });
  }
});

test('the function URL accepts control requests when they are open', async () => {
  const { request } = receiver({ controlIsOpen: true });
  expect(await request('PUT', '/shop/settings', { body: '{"failure_rate":1}' })).toMatchObject({
    statusCode: 204,
  });
  expect(await request('POST', '/shop')).toMatchObject({ statusCode: 500 });
});

test('a hanging webhook is held until just before the timeout of the function', async () => {
  const { invoke, request } = receiver();
  const almostOver = { getRemainingTimeInMillis: () => 501 };
  expect(await request('POST', '/shop?hang=true', {}, almostOver)).toEqual({ statusCode: 504 });
  const { body } = (await invoke({ control: { method: 'GET', path: '/shop/receipts' } })) as {
    body: { receipts: object[] };
  };
  expect(body.receipts).toHaveLength(1);
  expect(body.receipts[0]).not.toHaveProperty('status');
});

test('an event of another kind is refused', async () => {
  await expect(receiver().invoke({ Records: [] })).rejects.toThrow('rawPath');
});
