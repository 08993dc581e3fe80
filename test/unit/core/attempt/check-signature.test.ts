import { Webhook } from 'standardwebhooks';
import { checkSignature } from '../../../../functions/core/attempt/check-signature.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const signedAt = 1_614_265_330;
const known = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

function webhook({ body = '{"test": 2432232314}', signature = known, timestamp = String(signedAt) } = {}) {
  return {
    body: Buffer.from(body),
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    },
  };
}
const check = (given: Parameters<typeof checkSignature>[0], afterSeconds = 0) =>
  checkSignature(given, secret, (signedAt + afterSeconds) * 1_000);

test('the known answers of the standard are valid', () => {
  expect(check(webhook())).toBe('valid');
  expect(
    check(webhook({ body: '{"a":"é"}', signature: 'v1,c40+QlT2E7VqbRm6RlJnyUAxj4ZnlMCbeGqvhLESiY0=' })),
  ).toBe('valid');
});

test("what the standard's own library signs is valid", () => {
  const signature = new Webhook(secret).sign(
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    new Date(signedAt * 1_000),
    '{"£":"💷"}',
  );
  expect(check(webhook({ body: '{"£":"💷"}', signature }))).toBe('valid');
});

test('one matching signature among several is enough, as while a secret is changed', () => {
  expect(check(webhook({ signature: `v1,b3RoZXI= v1a,YWxzbyBvdGhlcg== ${known}` }))).toBe('valid');
});

test('a changed body, another secret or a garbled signature is invalid', () => {
  expect(check(webhook({ body: '{"test": 2432232315}' }))).toBe('invalid');
  expect(checkSignature(webhook(), 'whsec_b3RoZXJvdGhlcm90aGVyb3RoZXI=', signedAt * 1_000)).toBe('invalid');
  expect(check(webhook({ signature: 'v1,%%%' }))).toBe('invalid');
  expect(check(webhook({ signature: known.replace('v1,', 'v2,') }))).toBe('invalid');
});

test('a missing header is invalid', () => {
  expect(check({ body: Buffer.from(''), headers: {} })).toBe('invalid');
});

test('five minutes of difference are tolerated, not more, in either direction', () => {
  expect([300, -300, 301, -301].map((seconds) => check(webhook(), seconds))).toEqual([
    'valid',
    'valid',
    'invalid',
    'invalid',
  ]);
  expect(check(webhook({ timestamp: 'yesterday' }))).toBe('invalid');
});

test('without a secret nothing is checked', () => {
  expect(checkSignature(webhook(), undefined, 0)).toBe('unchecked');
});
