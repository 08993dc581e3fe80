import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import {
  generateSecret,
  isSecret,
  MalformedSecretError,
  signedHeaders,
} from '../../../functions/core/signature.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const known = {
  messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestampSeconds: 1614265330,
  body: '{"test": 2432232314}',
  secrets: [SECRET],
  attempt: 1,
};

test('An attempt carries exactly these headers', () => {
  expect(signedHeaders(known)).toEqual({
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Payhooks/1 (payment webhooks)',
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    'webhook-attempt': '1',
  });
});

test('A body beyond ASCII is signed as UTF-8', () => {
  expect(signedHeaders({ ...known, body: '{"a":"é"}' })['webhook-signature']).toBe(
    'v1,c40+QlT2E7VqbRm6RlJnyUAxj4ZnlMCbeGqvhLESiY0=',
  );
});

test('While a secret is rotated, both sign, the newest first', () => {
  const headers = signedHeaders({ ...known, secrets: [OTHER_SECRET, SECRET] });

  expect(headers['webhook-signature']).toBe(
    'v1,YO/ulmd+VFtlnbodv7yLOOsS6RlBZ48h++gXZrGOpZo= v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

test('A later attempt of the same message has its own time, number and signature', () => {
  const headers = signedHeaders({ ...known, timestampSeconds: 1614265335, attempt: 2 });

  expect(headers).toMatchObject({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265335',
    'webhook-attempt': '2',
  });
  expect(headers['webhook-signature']).not.toBe(signedHeaders(known)['webhook-signature']);
});

test('Any message verifies with the public library, with either secret of a rotation', () => {
  const timestampSeconds = Math.floor(Date.now() / 1000);
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.stringMatching(/^msg_[A-Za-z0-9_-]{1,64}$/),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      (resource, messageId, randomBytes) => {
        const secret = generateSecret(randomBytes);
        const body = JSON.stringify({ resource });
        const headers = signedHeaders({
          messageId,
          timestampSeconds,
          body,
          secrets: [secret, SECRET],
          attempt: 1,
        });
        expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
        expect(() => new Webhook(SECRET).verify(body, headers)).not.toThrow();
        expect(() => new Webhook(SECRET).verify(`${body} `, headers)).toThrow();
      },
    ),
  );
});

test('Secrets of 24 and of 64 bytes sign with their bytes, not with their text', () => {
  for (const length of [24, 64]) {
    const key = Buffer.alloc(length, 0xa5);
    const headers = signedHeaders({ ...known, secrets: [`whsec_${key.toString('base64')}`] });
    const expected = createHmac('sha256', key).update(`${known.messageId}.1614265330.${known.body}`);
    expect(headers['webhook-signature']).toBe(`v1,${expected.digest('base64')}`);
  }
});

test('However many secrets sign in one process, each signs with its own', () => {
  const signatureWith = (secret: string) =>
    signedHeaders({ ...known, secrets: [secret] })['webhook-signature'];
  const secrets = Array.from({ length: 1_100 }, (_, number) => {
    const bytes = Buffer.alloc(32);
    bytes.writeUInt16BE(number);
    return generateSecret(bytes);
  });

  expect(new Set(secrets.map(signatureWith)).size).toBe(1_100);
  expect(signatureWith(SECRET)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('Nothing goes out unsigned', () => {
  expect(() => signedHeaders({ ...known, secrets: [] })).toThrow(MalformedSecretError);
});

test('A malformed secret is reported without being told', () => {
  const secret = 'whsec_not-a-secret';

  expect(() => signedHeaders({ ...known, secrets: [SECRET, secret] })).toThrow(MalformedSecretError);
  expect(() => signedHeaders({ ...known, secrets: [secret] })).toThrow(/^((?!not-a-secret).)*$/);
});

test('A secret is made of 32 random bytes', () => {
  expect(generateSecret(new Uint8Array(32))).toBe('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=');
  expect(() => generateSecret(new Uint8Array(16))).toThrow('not of 16');
});

test.each([
  ['24 bytes', SECRET, true],
  ['64 bytes', `whsec_${Buffer.alloc(64, 1).toString('base64')}`, true],
  ['23 bytes', `whsec_${Buffer.alloc(23, 1).toString('base64')}`, false],
  ['65 bytes', `whsec_${Buffer.alloc(65, 1).toString('base64')}`, false],
  ['another prefix', SECRET.replace('whsec_', 'whsk_'), false],
  ['no prefix', SECRET.replace('whsec_', ''), false],
  ['padding left out', OTHER_SECRET.replace('=', ''), false],
  ['the URL alphabet', `whsec_${'_-'.repeat(16)}`, false],
  ['a space inside', SECRET.replace('9r8', '9r 8'), false],
  ['a line break at the end', `${SECRET}\n`, false],
  ['nothing', '', false],
])('Whether it is a secret: %s', (_what, secret, verdict) => {
  expect(isSecret(secret)).toBe(verdict);
});
