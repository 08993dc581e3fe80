import { createPrivateKey, createPublicKey } from 'node:crypto';
import * as z from 'zod/mini';
import type { SigningSecretInfo } from './signing-secret.ts';

/**
 * The keys of one generation of a secret, for all schemes: any may be turned on at any time. Only `secret` is
 * ever shown, once.
 */
const signingKeysSchema = z.object({
  /** Of `v1` and `Pay-Signature`: `whsec_` and the base64 of 24 to 64 bytes. */
  secret: z.string(),
  /** Of `v1a`: `whsk_` and the base64 of an ed25519 key pair, private half first. */
  private_key: z.string(),
  created_at: z.string(),
  /** From then on it does not sign any more. */
  expires_at: z.optional(z.string()),
});
export type SigningKeys = z.infer<typeof signingKeysSchema>;

/** All secrets of a subscription: the item of the `signing-secrets` table, without its key. */
export const keptSecretsSchema = z.object({
  /** By `secret_id`. */
  secrets: z.record(z.string(), signingKeysSchema),
  /** Headers that the partner wants with each webhook: often one is a password. */
  custom_headers: z.optional(z.record(z.string(), z.string())),
});
export type KeptSecrets = z.infer<typeof keptSecretsSchema>;

/**
 * Whether these are the secrets that a subscription lists: both are written together, but not read together.
 */
export function areSecretsOf(
  { signing_secrets }: { readonly signing_secrets?: readonly SigningSecretInfo[] | undefined },
  { secrets }: KeptSecrets,
): boolean {
  return (
    signing_secrets === undefined ||
    (signing_secrets.length === Object.keys(secrets).length &&
      signing_secrets.every(({ secret_id }) => Object.hasOwn(secrets, secret_id)))
  );
}

/** One generation of a secret: what may be shown, and what may not. */
export interface Generation {
  readonly info: SigningSecretInfo;
  readonly keys: SigningKeys;
}

/**
 * How long `deliver` caches secrets. A revoked one may sign until then, and a new one may have to wait;
 * `REVISION_GOOD_FOR_MS` makes both far shorter.
 */
export const SECRETS_CACHED_MS = 60_000;

/** How often a batch checks the revision of a subscription: secrets read under another one are read again. */
export const REVISION_GOOD_FOR_MS = 10_000;

/**
 * Random bytes of a generation's id, of its secret (Standard Webhooks 1.0.0 asks for 24 to 64), and of its
 * ed25519 key.
 */
export const SECRET_ID_BYTES = 12;
export const SIGNING_SECRET_BYTES = 32;
export const SEED_BYTES = 32;

export function newGeneration(given: {
  readonly id: Uint8Array;
  readonly secret: string;
  readonly seed: Uint8Array;
  readonly createdAt: string;
}): Generation {
  const { private_key, public_key } = keyPairOf(given.seed);
  const created_at = given.createdAt;
  return {
    info: { secret_id: `sec_${Buffer.from(given.id).toString('base64url')}`, public_key, created_at },
    keys: { secret: given.secret, private_key, created_at },
  };
}

/** What the texts of secrets and keys begin with. Source: Standard Webhooks 1.0.0. */
export const SECRET = 'whsec_';
export const PRIVATE_KEY = 'whsk_';
const PUBLIC_KEY = 'whpk_';

/** @param bytes from a cryptographic random generator */
export function secretOf(bytes: Uint8Array): string {
  return SECRET + Buffer.from(bytes).toString('base64');
}

/** How PKCS #8 begins when an ed25519 seed follows. Source: RFC 8410, section 10.3. */
export const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** An ed25519 key pair as Standard Webhooks 1.0.0 writes it. */
export function keyPairOf(seed: Uint8Array): { readonly private_key: string; readonly public_key: string } {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const publicBytes = Buffer.from(x, 'base64url');
  return {
    private_key: PRIVATE_KEY + Buffer.concat([seed, publicBytes]).toString('base64'),
    public_key: PUBLIC_KEY + publicBytes.toString('base64'),
  };
}
