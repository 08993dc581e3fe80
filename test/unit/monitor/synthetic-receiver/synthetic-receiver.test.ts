import { Webhook } from 'standardwebhooks';
import { handler } from '../../../../functions/monitor/synthetic-receiver/handler.ts';

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`;

function signed(body: string, headers: Record<string, string> = {}) {
  const at = new Date();
  return {
    headers: {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
      'doctor-secret': secret,
      ...headers,
    },
    body,
    isBase64Encoded: false,
  };
}

async function answer(event: object) {
  const { statusCode, body } = await handler(event);
  return { statusCode, body: JSON.parse(body) };
}

test('a webhook signed with the secret in its header gets its id', async () => {
  expect(await answer(signed('{"a":"é"}'))).toEqual({
    statusCode: 200,
    body: { signature: 'valid', webhook_id: 'msg_1' },
  });
});

test('a base64 body is decoded before its signature is checked', async () => {
  const event = signed('{"a":"é"}');
  const body = Buffer.from(event.body).toString('base64');
  expect((await answer({ ...event, body, isBase64Encoded: true })).statusCode).toBe(200);
});

test.each([
  ['with another body', { ...signed('{}'), body: '{ }' }],
  ['with another secret', signed('{}', { 'doctor-secret': `whsec_${Buffer.alloc(32).toString('base64')}` })],
  ['without a secret', { ...signed('{}'), headers: { 'webhook-id': 'msg_1' } }],
  ['from yesterday', signed('{}', { 'webhook-timestamp': '1760000000' })],
])('a webhook %s gets 401, and nothing of it is repeated', async (_, event) => {
  expect(await answer(event)).toEqual({
    statusCode: 401,
    body: { signature: 'invalid', webhook_id: '' },
  });
});
