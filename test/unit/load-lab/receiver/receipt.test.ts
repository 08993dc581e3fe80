import { contentOf } from '../../../../functions/load-lab/receiver/receipt.ts';
import { requestBytes } from '../../../../functions/load-lab/receiver/request-bytes.ts';

const contentOfBody = (body: unknown) =>
  contentOf({ headers: {}, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) });

test('headers and body of a webhook are parsed', () => {
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-attempt': '3',
    'webhook-timestamp': '1614265330',
  };
  const body = { event_type: 'invoice.paid', resource_id: 'pay_1' };
  expect(contentOf({ headers, body: Buffer.from(JSON.stringify(body)) })).toEqual({
    webhook_id: 'msg_1',
    webhook_attempt: 3,
    webhook_timestamp: 1_614_265_330,
    event_type: 'invoice.paid',
    resource_id: 'pay_1',
    payment_id: 'pay_1',
  });
});

test('an event with a number names its payment itself', () => {
  expect(contentOfBody({ resource_id: 'ref_1', payment_id: 'pay_1', sequence: 2 })).toMatchObject({
    resource_id: 'ref_1',
    payment_id: 'pay_1',
  });
});

test.each(['', 'not json', 'null', '[1]', '{"event_type":5,"resource":"x"}'])(
  'a body of %j is taken in without content',
  (body) => {
    expect(contentOfBody(body)).toMatchObject({ event_type: undefined, resource_id: undefined });
  },
);

test('the size of a request is that of its request line, headers and body', () => {
  const wire = 'POST /shop?a=1 HTTP/1.1\r\nhost: shop.example\r\nwebhook-id: msg_1\r\n\r\n{"amount":1}';
  const request = { method: 'POST', path: '/shop?a=1', body: Buffer.from('{"amount":1}') };
  const headers = { host: 'shop.example', 'webhook-id': 'msg_1', cookie: undefined };
  expect(requestBytes({ ...request, headers })).toBe(wire.length);
  const added = { 'x-amzn-trace-id': 'Root=1', 'x-forwarded-for': '192.0.2.1' };
  expect(requestBytes({ ...request, headers: { ...headers, ...added } })).toBe(wire.length);
});
