import { createHmac, createPrivateKey, createSecretKey, type KeyObject, sign } from 'node:crypto';
import { PKCS8_HEAD, PRIVATE_KEY, SECRET, SEED_BYTES, type SigningKeys } from './signing-keys.ts';
import type { ExtraSignature } from './signing-secret.ts';
import { USER_AGENT } from './user-agent.ts';

/** Those that sign at an instant, newest first. */
export function activeAt<Of extends Pick<SigningKeys, 'created_at' | 'expires_at'>>(
  all: readonly Of[],
  nowMs: number,
): Of[] {
  return all
    .filter(({ expires_at }) => expires_at === undefined || Date.parse(expires_at) > nowMs)
    .sort((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at));
}

/** What is signed for one attempt, and with which keys. */
export interface Signable {
  readonly messageId: string;
  /** Unix seconds of this attempt. */
  readonly timestampSeconds: number;
  /** The body as it is sent, in UTF-8. */
  readonly body: string;
  /** The active ones, newest first: several while a secret is being rotated. */
  readonly keys: readonly Pick<SigningKeys, 'secret' | 'private_key'>[];
  /** Those that the subscription wants besides `v1`. */
  readonly extraSignatures?: readonly ExtraSignature[];
  /** 1 for the first. */
  readonly attempt: number;
}

/**
 * The headers of one attempt, signed once with each active secret. Source: Standard Webhooks 1.0.0,
 * "Signature scheme" and "Webhook headers"; `webhook-attempt` is ours, `pay-signature` GOV.UK Pay's.
 *
 * @throws MalformedSecretError when a secret is not one, or when there is none: nothing goes out unsigned.
 */
export function signedHeaders({
  messageId,
  timestampSeconds,
  body,
  keys,
  extraSignatures = [],
  attempt,
}: Signable): Record<string, string> {
  // `Pay-Signature` has room for one value, and a receiver that is not up to date knows the oldest secret.
  const oldest = keys.at(-1);
  if (oldest === undefined) {
    throw new MalformedSecretError('there is no secret to sign with');
  }
  const head = `${messageId}.${timestampSeconds}.`;
  const signatures = [
    ...keys.map(({ secret }) => v1(secret, head, body)),
    ...(extraSignatures.includes('v1a') ? keys.map(({ private_key }) => v1a(private_key, head, body)) : []),
  ];
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': USER_AGENT,
    'webhook-id': messageId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
    'webhook-attempt': String(attempt),
    ...(extraSignatures.includes('pay-signature')
      ? { 'pay-signature': paySignature(oldest.secret, body) }
      : {}),
  };
}

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

export function keptKeys(make: (text: string) => KeyObject) {
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

/**
 * The bytes of a secret; undefined unless it is `whsec_` and the base64 (padded, as RFC 4648 has it) of 24 to
 * 64 bytes.
 */
export function bytesOfSecret(secret: string): Buffer | undefined {
  const bytes = bytesAfter(SECRET, secret);
  return bytes !== undefined && bytes.length >= 24 && bytes.length <= 64 ? bytes : undefined;
}

/**
 * The seed of a private key, in PKCS #8; undefined unless it is `whsk_` and the base64 of seed and public
 * key.
 */
export function pkcs8OfPrivateKey(privateKey: string): Buffer | undefined {
  const bytes = bytesAfter(PRIVATE_KEY, privateKey);
  return bytes?.length === 64 ? Buffer.concat([PKCS8_HEAD, bytes.subarray(0, SEED_BYTES)]) : undefined;
}

function bytesAfter(prefix: string, text: string): Buffer | undefined {
  if (!text.startsWith(prefix)) {
    return undefined;
  }
  const base64 = text.slice(prefix.length);
  const bytes = Buffer.from(base64, 'base64');
  // Node skips characters that are not base64: encoding again shows whether it has.
  return bytes.toString('base64') === base64 ? bytes : undefined;
}
