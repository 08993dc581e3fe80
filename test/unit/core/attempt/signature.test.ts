import crypto, { createHmac, createPublicKey, verify } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import {
  MalformedSecretError,
  paySignature,
  signedHeaders,
} from '../../../../functions/core/attempt/signature.ts';
import { keyPairOf, secretOf } from '../../../../functions/core/attempt/signing-keys.ts';
import { signingKeys } from '../../../support/builders.ts';

const KEYS = signingKeys();
const SECRET = KEYS.secret;
const OTHER = {
  ...keyPairOf(Buffer.alloc(32, 7)),
  secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
};

const known = {
  messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestampSeconds: 1614265330,
  body: '{"test": 2432232314}',
  keys: [KEYS],
  attempt: 1,
};
const V1 = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const OTHER_V1 = 'v1,YO/ulmd+VFtlnbodv7yLOOsS6RlBZ48h++gXZrGOpZo=';
const V1A = 'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==';

test('An attempt carries exactly these headers', () => {
  expect(signedHeaders(known)).toEqual({
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Payhooks/1 (payment webhooks)',
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': V1,
    'webhook-attempt': '1',
  });
});

test('A body beyond ASCII is signed as UTF-8', () => {
  expect(signedHeaders({ ...known, body: '{"a":"é"}' })['webhook-signature']).toBe(
    'v1,c40+QlT2E7VqbRm6RlJnyUAxj4ZnlMCbeGqvhLESiY0=',
  );
});

test('While a secret is rotated, both sign, the newest first', () => {
  const headers = signedHeaders({ ...known, keys: [OTHER, KEYS] });

  expect(headers['webhook-signature']).toBe(`${OTHER_V1} ${V1}`);
});

test('A subscription may be signed with ed25519 too', () => {
  const headers = signedHeaders({ ...known, extraSignatures: ['v1a'] });

  expect(headers['webhook-signature']).toBe(`${V1} ${V1A}`);
  expect(headers).not.toHaveProperty('pay-signature');
});

test('With two secrets and two schemes there are four signatures, and the other keys make others', () => {
  const headers = signedHeaders({ ...known, keys: [OTHER, KEYS], extraSignatures: ['v1a'] });

  const [first, second, third, fourth] = headers['webhook-signature']!.split(' ');
  expect([first, second, fourth]).toEqual([OTHER_V1, V1, V1A]);
  const publicKey = createPublicKey({
    key: {
      kty: 'OKP',
      crv: 'Ed25519',
      x: Buffer.from(OTHER.public_key.slice('whpk_'.length), 'base64').toString('base64url'),
    },
    format: 'jwk',
  });
  const content = Buffer.from('msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}');
  expect(verify(null, content, publicKey, Buffer.from(third!.slice('v1a,'.length), 'base64'))).toBe(true);
});

test('The signature of GOV.UK Pay is over the body, with the secret as it is written', () => {
  expect(paySignature('This is my secret key! 🔑', 'We captured a £10 payment! 💷')).toBe(
    'a678c8326237dc08acabed4ec3948ee82f94c4b35cdc44b68f26fa8ef595efff',
  );
});

test('While a secret is rotated, Pay-Signature is made with the oldest: it has room for one, which every receiver knows', () => {
  const headers = signedHeaders({ ...known, keys: [OTHER, KEYS], extraSignatures: ['pay-signature'] });

  const expected = createHmac('sha256', SECRET).update(known.body).digest('hex');
  expect(headers['pay-signature']).toBe(expected);
  expect(headers['webhook-signature']).toBe(`${OTHER_V1} ${V1}`);
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
      fc.uint8Array({ minLength: 24, maxLength: 64 }),
      (resource, messageId, randomBytes) => {
        const secret = secretOf(randomBytes);
        const body = JSON.stringify({ resource });
        const headers = signedHeaders({
          messageId,
          timestampSeconds,
          body,
          keys: [{ ...OTHER, secret }, KEYS],
          extraSignatures: ['v1a', 'pay-signature'],
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
    const headers = signedHeaders({ ...known, keys: [signingKeys({ secret: secretOf(key) })] });
    const expected = createHmac('sha256', key).update(`${known.messageId}.1614265330.${known.body}`);
    expect(headers['webhook-signature']).toBe(`v1,${expected.digest('base64')}`);
  }
});

test('However many secrets sign in one process, each signs with its own', () => {
  const signatureWith = (secret: string) =>
    signedHeaders({ ...known, keys: [signingKeys({ secret })] })['webhook-signature'];
  const secrets = Array.from({ length: 1_100 }, (_, number) => {
    const bytes = Buffer.alloc(32);
    bytes.writeUInt16BE(number);
    return secretOf(bytes);
  });

  expect(new Set(secrets.map(signatureWith)).size).toBe(1_100);
  expect(signatureWith(SECRET)).toBe(V1);
});

test('The keys of the thousand secrets that came last are kept, and no more', () => {
  const made = jest.spyOn(crypto, 'createSecretKey');
  /** How many keys are made to sign with secrets that are numbered so. */
  const madeFor = (first: number, count = 1) => {
    made.mockClear();
    for (let number = first; number < first + count; number += 1) {
      const bytes = Buffer.alloc(40);
      bytes.writeUInt16BE(number);
      signedHeaders({ ...known, keys: [signingKeys({ secret: secretOf(bytes) })] });
    }
    return made.mock.calls.length;
  };
  try {
    expect(madeFor(0, 1_000)).toBe(1_000);
    expect(madeFor(0, 1_000)).toBe(0);
    expect(madeFor(1_000)).toBe(1);
    expect(madeFor(1, 1_000)).toBe(0);
    expect(madeFor(0)).toBe(1);
  } finally {
    made.mockRestore();
  }
});

test('Nothing goes out unsigned', () => {
  expect(() => signedHeaders({ ...known, keys: [] })).toThrow(
    new MalformedSecretError('there is no secret to sign with'),
  );
});

test('A malformed secret is reported without being told', () => {
  const malformed = signingKeys({ secret: 'whsec_not-a-secret' });

  for (const keys of [[KEYS, malformed], [malformed]]) {
    expect(() => signedHeaders({ ...known, keys })).toThrow(
      new MalformedSecretError('a secret is not whsec_ and the base64 of 24 to 64 bytes'),
    );
  }
});

test('A malformed private key matters to those alone that want it, and is not told either', () => {
  const keys = [signingKeys({ private_key: 'whsk_bm90LWEta2V5' })];

  expect(signedHeaders({ ...known, keys })['webhook-signature']).toBe(V1);
  expect(() => signedHeaders({ ...known, keys, extraSignatures: ['v1a'] })).toThrow(
    new MalformedSecretError('a private key is not whsk_ and the base64 of 64 bytes'),
  );
});
