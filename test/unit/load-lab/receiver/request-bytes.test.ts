import { requestBytes } from '../../../../functions/load-lab/receiver/request-bytes.ts';

test('the size of a request is that of its request line, headers and body', () => {
  const wire = 'POST /shop?a=1 HTTP/1.1\r\nhost: shop.example\r\nwebhook-id: msg_1\r\n\r\n{"amount":1}';
  const request = { method: 'POST', path: '/shop?a=1', body: Buffer.from('{"amount":1}') };
  const headers = { host: 'shop.example', 'webhook-id': 'msg_1', cookie: undefined };
  expect(requestBytes({ ...request, headers })).toBe(wire.length);
  const added = { 'x-amzn-trace-id': 'Root=1', 'x-forwarded-for': '192.0.2.1' };
  expect(requestBytes({ ...request, headers: { ...headers, ...added } })).toBe(wire.length);
});
