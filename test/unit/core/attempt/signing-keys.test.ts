import { activeAt, bytesOfSecret, pkcs8OfPrivateKey } from '../../../../functions/core/attempt/signature.ts';
import { keyPairOf, newGeneration, secretOf } from '../../../../functions/core/attempt/signing-keys.ts';
import { signingKeys } from '../../../support/builders.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const TEN = Date.parse('2026-11-14T10:00:00.000Z');

test('a secret is written as Standard Webhooks has it', () => {
  expect(secretOf(new Uint8Array(32))).toBe('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=');
});

test('so is a pair of ed25519 keys', () => {
  const private_key =
    'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==';
  const seed = Buffer.from(private_key.slice('whsk_'.length), 'base64').subarray(0, 32);

  expect(keyPairOf(seed)).toEqual({
    private_key,
    public_key: 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=',
  });
});

test.each([
  ['24 bytes', SECRET, true],
  ['64 bytes', `whsec_${Buffer.alloc(64, 1).toString('base64')}`, true],
  ['23 bytes', `whsec_${Buffer.alloc(23, 1).toString('base64')}`, false],
  ['65 bytes', `whsec_${Buffer.alloc(65, 1).toString('base64')}`, false],
  ['another prefix', SECRET.replace('whsec_', 'whsk_'), false],
  ['another prefix, as long', SECRET.replace('whsec_', 'whpub_'), false],
  ['no prefix', SECRET.replace('whsec_', ''), false],
  ['padding left out', OTHER_SECRET.replace('=', ''), false],
  ['the URL alphabet', `whsec_${'_-'.repeat(16)}`, false],
  ['a space inside', SECRET.replace('9r8', '9r 8'), false],
  ['a line break at the end', `${SECRET}\n`, false],
  ['nothing', '', false],
])('whether it is a secret: %s', (_what, secret, decision) => {
  expect(bytesOfSecret(secret) !== undefined).toBe(decision);
});

test.each([
  ['a secret', SECRET],
  ['half of a pair', `whsk_${Buffer.alloc(32, 1).toString('base64')}`],
  ['nothing', ''],
])('no private key is %s', (_, text) => {
  expect(pkcs8OfPrivateKey(text)).toBeUndefined();
});

test('what may be shown of a generation holds nothing that signs', () => {
  const { info, keys } = newGeneration({
    id: new Uint8Array(12),
    secret: SECRET,
    seed: new Uint8Array(32).fill(7),
    createdAt: '2026-11-14T10:00:00.000Z',
  });

  expect(info).toEqual({
    secret_id: 'sec_AAAAAAAAAAAAAAAA',
    public_key: keyPairOf(new Uint8Array(32).fill(7)).public_key,
    created_at: '2026-11-14T10:00:00.000Z',
  });
  expect(keys).toEqual({
    secret: SECRET,
    private_key: keyPairOf(new Uint8Array(32).fill(7)).private_key,
    created_at: '2026-11-14T10:00:00.000Z',
  });
});

test('a secret signs until it expires, and not from then on; the newest comes first', () => {
  const oldest = signingKeys({
    created_at: '2026-11-01T00:00:00.000Z',
    expires_at: '2026-11-14T10:00:00.000Z',
  });
  const newer = signingKeys({ created_at: '2026-11-13T00:00:00.000Z' });

  expect(activeAt([oldest, newer], TEN - 1)).toEqual([newer, oldest]);
  expect(activeAt([oldest, newer], TEN)).toEqual([newer]);
});
