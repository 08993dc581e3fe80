import { createHmac, createPrivateKey, createSecretKey, type KeyObject, sign } from 'node:crypto';
import { bytesOfSecret, pkcs8OfPrivateKey } from './signing-keys.ts';

/** A secret that cannot sign. The message never contains the secret. */
export class MalformedSecretError extends Error {
  override readonly name = 'MalformedSecretError';
}

/**
 * The symmetric signature of Standard Webhooks 1.0.0.
 *
 * @param head `<id>.<timestamp>.`
 * @throws MalformedSecretError
 */
export function v1(secret: string, head: string, body: string): string {
  const key = symmetricKeys.of(secret);
  return `v1,${createHmac('sha256', key).update(head).update(body, 'utf8').digest('base64')}`;
}

/**
 * The asymmetric signature of Standard Webhooks 1.0.0: ed25519.
 *
 * @throws MalformedSecretError
 */
export function v1a(privateKey: string, head: string, body: string): string {
  const content = Buffer.from(head + body, 'utf8');
  return `v1a,${sign(null, content, asymmetricKeys.of(privateKey)).toString('base64')}`;
}

/**
 * The header `Pay-Signature` of GOV.UK Pay's webhooks: it signs the body alone, and its key is the secret's
 * text.
 */
export function paySignature(secret: string, body: string): string {
  return createHmac('sha256', textKeys.of(secret)).update(body, 'utf8').digest('hex');
}

/**
 * Node takes some 25 µs to make a key and 4 µs to sign with it, so keys are cached for more secrets than a
 * process uses.
 */
const MAX_KEYS = 1_000;

function keptKeys(make: (text: string) => KeyObject) {
  const keys = new Map<string, KeyObject>();
  return {
    of(text: string): KeyObject {
      const kept = keys.get(text);
      if (kept !== undefined) {
        return kept;
      }
      const key = make(text);
      keys.set(text, key);
      if (keys.size > MAX_KEYS) {
        keys.delete(keys.keys().next().value!);
      }
      return key;
    },
  };
}

const symmetricKeys = keptKeys((secret) => {
  const bytes = bytesOfSecret(secret);
  if (bytes === undefined) {
    throw new MalformedSecretError('a secret is not whsec_ and the base64 of 24 to 64 bytes');
  }
  return createSecretKey(bytes);
});

const asymmetricKeys = keptKeys((privateKey) => {
  const key = pkcs8OfPrivateKey(privateKey);
  if (key === undefined) {
    throw new MalformedSecretError('a private key is not whsk_ and the base64 of 64 bytes');
  }
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
});

const textKeys = keptKeys((text) => createSecretKey(text, 'utf8'));
