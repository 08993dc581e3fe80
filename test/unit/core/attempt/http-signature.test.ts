import { createPrivateKey, createPublicKey, verify } from 'node:crypto';
import {
  contentDigest,
  httpSignature,
  placeOf,
  signatureBase,
} from '../../../../functions/core/attempt/http-signature.ts';
import { MalformedSecretError } from '../../../../functions/core/attempt/signature.ts';

/** RFC 9421, appendix B.1.3: `test-key-ecc-p256`. */
const TEST_KEY = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIFKbhfNZfpDsW43+0+JjUr9K+bTeuxopu653+hBaXGA7oAoGCCqGSM49
AwEHoUQDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lfw0EkjqF7xB4FivAxzic30tMM
4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==
-----END EC PRIVATE KEY-----`;
const publicKey = createPublicKey(TEST_KEY);
const key = {
  kid: 'test-key-ecc-p256',
  private_key: createPrivateKey(TEST_KEY).export({ format: 'der', type: 'pkcs8' }).toString('base64'),
};

const verifies = (base: string, signature: string) =>
  verify(
    'sha256',
    Buffer.from(base),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64'),
  );

test('the signature base of the RFC is made as the RFC has it, and its signature verifies', () => {
  // Appendix B.2.4.
  const digest =
    'sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:';
  const base = signatureBase(
    [
      ['@status', '200'],
      ['content-type', 'application/json'],
      ['content-digest', digest],
      ['content-length', '23'],
    ],
    '("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256"',
  );

  expect(base).toBe(`"@status": 200
"content-type": application/json
"content-digest": ${digest}
"content-length": 23
"@signature-params": ("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256"`);
  const signature =
    'wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==';
  expect(verifies(base, signature)).toBe(true);
  expect(verifies(base.replace('200', '201'), signature)).toBe(false);
});

test.each([
  // Appendix B.2 of RFC 9421, and its sections 2.2.3, 2.2.6 and 2.2.7.
  ['https://example.com/foo?param=Value&Pet=dog', 'example.com', '/foo', '?param=Value&Pet=dog'],
  ['https://www.EXAMPLE.com/path', 'www.example.com', '/path', '?'],
  ['https://example.com:443', 'example.com', '/', '?'],
  ['http://127.0.0.1:8080/a%20b?', '127.0.0.1:8080', '/a%20b', '?'],
])('a POST to %s is for %s, %s and %s', (url, authority, path, query) => {
  expect(placeOf(url)).toEqual([
    ['@method', 'POST'],
    ['@authority', authority],
    ['@path', path],
    ['@query', query],
  ]);
});

test('the digest of a body is that of RFC 9530', () => {
  expect(contentDigest('{"hello": "world"}\n')).toBe(
    'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:',
  );
  expect(contentDigest('{"a":"é"}')).toBe('sha-256=:s6CSpq9IgH+pSCsu4UAQVXXaom1bJLPA5gp+Le5mg7E=:');
});

const webhook = {
  url: 'https://shop.example/hooks?till=1',
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1614265330',
    'webhook-attempt': '2',
    'webhook-signature': 'v1,not covered',
  },
  body: '{"hello": "world"}\n',
  createdSeconds: 1_614_265_330,
  key,
};

test('a webhook is signed for where it goes, what it says, and when', () => {
  const made = httpSignature(webhook);

  const params =
    '("@method" "@authority" "@path" "@query" "content-digest" "content-type" "webhook-id" "webhook-timestamp" "webhook-attempt");created=1614265330;keyid="test-key-ecc-p256";alg="ecdsa-p256-sha256"';
  expect(made).toEqual({
    'content-digest': 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:',
    'signature-input': `payhooks=${params}`,
    signature: expect.stringMatching(/^payhooks=:[A-Za-z0-9+/]{86}==:$/),
  });
  const base = `"@method": POST
"@authority": shop.example
"@path": /hooks
"@query": ?till=1
"content-digest": sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:
"content-type": application/json; charset=utf-8
"webhook-id": msg_1
"webhook-timestamp": 1614265330
"webhook-attempt": 2
"@signature-params": ${params}`;
  const signature = made.signature.slice('payhooks=:'.length, -1);
  expect(verifies(base, signature)).toBe(true);
  expect(verifies(base.replace('shop.example', 'other.example'), signature)).toBe(false);
});

test('a key that is none cannot sign, and the error does not quote it', () => {
  const sign = () => httpSignature({ ...webhook, key: { kid: 'one', private_key: 'hunter2' } });
  expect(sign).toThrow(MalformedSecretError);
  expect(sign).not.toThrow(/hunter2/);
});
