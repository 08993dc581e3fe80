import { createECDH, createHash, createPrivateKey } from 'node:crypto';
import * as z from 'zod/mini';
import type { HttpSigningKey } from './http-signature.ts';
import { activeAt } from './signature.ts';
import type { KeptSecrets, SigningKeys } from './signing-keys.ts';

/** Under this the stage's keys lie among the secrets of subscriptions: no subscription has this id. */
export const STAGE_KEYS = '#keys';

/** The public half of a key with which a stage signs for all partners. Instants are ISO 8601. */
const stageKeySchema = z.object({
  /** The thumbprint of the key. */
  kid: z.string(),
  x: z.string(),
  y: z.string(),
  created_at: z.string(),
  /** From then on it does not sign any more. */
  expires_at: z.optional(z.string()),
});
export type StageKey = z.infer<typeof stageKeySchema>;

export const stageKeySetSchema = z.object({
  /** Increases with each change. */
  version: z.number(),
  keys: z.array(stageKeySchema),
});
export type StageKeySet = z.infer<typeof stageKeySetSchema>;

/** Random bytes of a private key. */
export const STAGE_KEY_BYTES = 32;

/** How many may sign, now or later: each rotation adds one. */
export const MAX_STAGE_KEYS = 4;

/** How long a key is listed after it has signed for the last time: webhooks may lie in a queue of a partner. */
const LISTED_AFTER_MS = 86_400_000;

/** Receivers keep the key set for an hour. */
export const KEY_SET_GOOD_FOR_SECONDS = 3_600;

interface NewKey {
  readonly listed: StageKey;
  readonly kept: SigningKeys;
}

/**
 * A key on P-256.
 *
 * @param seed from a cryptographic random generator
 * @throws for one seed of 2^32, which is no private key
 */
export function newStageKey(seed: Uint8Array, created_at: string): NewKey {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(seed);
  const point = pair.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url')) as [
    string,
    string,
  ];
  const d = Buffer.from(seed).toString('base64url');
  const key = createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y, d } });
  return {
    listed: { kid: thumbprintOf(x, y), x, y, created_at },
    kept: {
      secret: '',
      private_key: key.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
      created_at,
    },
  };
}

/** Source: RFC 7638, section 3. */
function thumbprintOf(x: string, y: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');
}

/** A change of the stage's keys: what is listed after it, and what becomes of the private halves. */
export interface StageKeyChange {
  readonly keys: readonly StageKey[];
  readonly added: NewKey;
  /** When these stop signing, by `kid`. */
  readonly expiring: Readonly<Record<string, string>>;
  /** No longer kept. */
  readonly removed: readonly string[];
}

/**
 * Adds a key. Those without an expiry expire after the overlap; until then the oldest signs, so that
 * receivers know the new one before it does. Without an overlap the others go at once, from the list, too: a
 * leaked key must not be trusted any longer.
 *
 * @param nowMs at which the key is made
 * @returns undefined when too many would sign
 */
export function rotatedStageKeys(
  { keys }: Pick<StageKeySet, 'keys'>,
  seed: Uint8Array,
  overlapMs: number,
  nowMs: number,
): StageKeyChange | undefined {
  const staying = overlapMs === 0 ? [] : keys.filter((key) => isListed(key, nowMs));
  if (activeAt(staying, nowMs).length >= MAX_STAGE_KEYS) {
    return undefined;
  }
  // Strictly later than the others, whatever the clocks say: the oldest signs.
  const createdAtMs = Math.max(nowMs, ...keys.map(({ created_at }) => Date.parse(created_at) + 1));
  const added = newStageKey(seed, new Date(createdAtMs).toISOString());
  const expires_at = new Date(nowMs + overlapMs).toISOString();
  const ending = staying.filter((key) => key.expires_at === undefined);
  const stillSigning = activeAt(staying, nowMs);
  return {
    keys: [added.listed, ...staying.map((key) => (ending.includes(key) ? { ...key, expires_at } : key))],
    added,
    expiring: Object.fromEntries(ending.map(({ kid }) => [kid, expires_at])),
    // Also those that an earlier rotation has removed: they are still listed.
    removed: keys.filter((key) => !stillSigning.includes(key)).map(({ kid }) => kid),
  };
}

/** The oldest that has not expired signs. Undefined when there is none. */
export function signingStageKey(kept: KeptSecrets | undefined, nowMs: number): HttpSigningKey | undefined {
  const all = Object.entries(kept?.secrets ?? {}).map(([kid, key]) => ({ ...key, kid }));
  return activeAt(all, nowMs).at(-1);
}

/** Whether receivers may still meet its signatures. */
function isListed({ expires_at }: StageKey, nowMs: number): boolean {
  return expires_at === undefined || Date.parse(expires_at) + LISTED_AFTER_MS > nowMs;
}

/** The key set for receivers. Source: RFC 7517, section 5. */
export function jwksOf({ keys }: Pick<StageKeySet, 'keys'>, nowMs: number) {
  return {
    keys: keys
      .filter((key) => isListed(key, nowMs))
      .map((key) => ({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', ...key })),
  };
}
