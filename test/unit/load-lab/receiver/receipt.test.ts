import { contentOf } from '../../../../functions/load-lab/receiver/receipt.ts';

const contentOfBody = (body: unknown) =>
  contentOf({ headers: {}, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) });

test('headers and body of a webhook are parsed', () => {
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-attempt': '3',
    'webhook-timestamp': '1614265330',
  };
  const body = { event_type: 'card_payment_captured', resource_id: 'pay_1', resource_type: 'payment' };
  expect(contentOf({ headers, body: Buffer.from(JSON.stringify(body)) })).toEqual({
    webhook_id: 'msg_1',
    webhook_attempt: 3,
    webhook_timestamp: 1_614_265_330,
    event_type: 'card_payment_captured',
    resource_id: 'pay_1',
    payment_id: 'pay_1',
  });
});

test('the payment of a refund is the one in its resource, if there is one', () => {
  const refund = { resource_id: 'ref_1', resource_type: 'refund' };
  expect(contentOfBody({ ...refund, resource: { payment_id: 'pay_1' } })).toMatchObject({
    resource_id: 'ref_1',
    payment_id: 'pay_1',
  });
  expect(contentOfBody({ ...refund, resource: {} }).payment_id).toBeUndefined();
});

test.each(['', 'not json', 'null', '[1]', '{"event_type":5,"resource":"x"}'])(
  'a body of %j is taken in without content',
  (body) => {
    expect(contentOfBody(body)).toMatchObject({ event_type: undefined, resource_id: undefined });
  },
);
