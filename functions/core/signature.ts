import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const PREFIX = 'whsec_';

/** Node takes some 25 µs to make a key and 4 µs to sign with it, so keys are kept for as many secrets as one process may be busy with. */
const MAX_KEYS = 1_000;
const keys = new Map<string, KeyObject>();

/** What is signed of one attempt, and with what. */
export interface Signable {
  readonly messageId: string;
  /** Unix seconds of this attempt. */
  readonly timestampSeconds: number;
  /** The body as it is sent, in UTF-8. */
  readonly body: string;
  /** The active secrets, the newest first: during a rotation there are two. */
  readonly secrets: readonly string[];
  /** 1 for the first try. */
  readonly attempt: number;
}

/**
 * The headers of one attempt: the same message signed anew, once with each active secret.
 * Source: Standard Webhooks 1.0.0, "Signature scheme" and "Webhook headers"; `webhook-attempt` is ours.
 *
 * @throws MalformedSecretError when a secret is not one, or when there is none: nothing goes out unsigned.
 */
export function signedHeaders({
  messageId,
  timestampSeconds,
  body,
  secrets,
  attempt,
}: Signable): Record<string, string> {
  if (secrets.length === 0) {
    throw new MalformedSecretError('there is no secret to sign with');
  }
  const head = `${messageId}.${timestampSeconds}.`;
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Payhooks/1 (payment webhooks)',
    'webhook-id': messageId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map((secret) => signature(secret, head, body)).join(' '),
    'webhook-attempt': String(attempt),
  };
}

function signature(secret: string, head: string, body: string): string {
  return `v1,${createHmac('sha256', keyOf(secret)).update(head).update(body, 'utf8').digest('base64')}`;
}

function keyOf(secret: string): KeyObject {
  const kept = keys.get(secret);
  if (kept !== undefined) {
    return kept;
  }
  const bytes = bytesOf(secret);
  if (bytes === undefined) {
    throw new MalformedSecretError(`a secret is not ${PREFIX} and the base64 of 24 to 64 bytes`);
  }
  const key = createSecretKey(bytes);
  keys.set(secret, key);
  if (keys.size > MAX_KEYS) {
    keys.delete(keys.keys().next().value!);
  }
  return key;
}

/** A secret that cannot sign. Never says which. */
export class MalformedSecretError extends Error {
  override readonly name = 'MalformedSecretError';
}

/** A new signing secret from 32 bytes of the best randomness there is. */
export function generateSecret(randomBytes32: Uint8Array): string {
  if (randomBytes32.length !== 32) {
    throw new RangeError(`a secret is made of 32 random bytes, not of ${randomBytes32.length}`);
  }
  return PREFIX + Buffer.from(randomBytes32).toString('base64');
}

/** Whether it can sign: `whsec_` and the base64 (padded, as RFC 4648 has it) of 24 to 64 bytes. */
export function isSecret(secret: string): boolean {
  return bytesOf(secret) !== undefined;
}

function bytesOf(secret: string): Buffer | undefined {
  if (!secret.startsWith(PREFIX)) {
    return undefined;
  }
  const base64 = secret.slice(PREFIX.length);
  const bytes = Buffer.from(base64, 'base64');
  // Node skips what is not base64; encoding again shows whether anything was skipped.
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === base64 ? bytes : undefined;
}
