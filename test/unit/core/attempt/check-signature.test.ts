import { createHmac } from 'node:crypto';
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

describe('with a signature that is right for what was received', () => {
  /** The known webhook with these headers instead, signed as if a header that is not there were its text. */
  function signed(over: Readonly<Record<string, string | undefined>>) {
    const { body, headers } = webhook();
    const given: Record<string, string | undefined> = { ...headers, ...over };
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const text = `${given['webhook-id']}.${given['webhook-timestamp']}.${body}`;
    const signature = `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
    return { body, headers: { ...given, 'webhook-signature': signature, ...over } };
  }

  test('the known webhook is valid', () => {
    expect(check(signed({}))).toBe('valid');
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('a missing %s is invalid', (name) => {
    expect(check(signed({ [name]: undefined }))).toBe('invalid');
    expect(check(signed({ [name]: '' }))).toBe('invalid');
  });

  test.each([`+${signedAt}`, `${signedAt}.0`, `${signedAt}e0`, ` ${signedAt}`])(
    'a timestamp that is not written as whole seconds is invalid: %j',
    (timestamp) => {
      expect(check(signed({ 'webhook-timestamp': timestamp }))).toBe('invalid');
    },
  );
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
