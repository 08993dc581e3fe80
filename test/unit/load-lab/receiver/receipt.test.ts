import { contentOf } from '../../../../functions/load-lab/receiver/receipt.ts';

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
