import { createHash } from 'node:crypto';
import * as z from 'zod';
import { paymentEventSchema } from './event.ts';

/** Whose token it is: the same ids that publishers put on events. */
export const serviceIdSchema = paymentEventSchema.shape.service_id;

/** An API token as the `api-tokens` table keeps it: never the token, only its hash. */
export const tokenRecordSchema = z.object({
  token_hash: z.string(),
  service_id: serviceIdSchema,
  description: z.string(),
  /** ISO 8601 in UTC with milliseconds. */
  created_at: z.string(),
  /** From this second on the token is refused; absent: it does not expire. */
  expires_at_epoch_seconds: z.int().optional(),
});
export type TokenRecord = z.infer<typeof tokenRecordSchema>;

/** Random bytes of a token. */
export const TOKEN_BYTES = 32;

const BEARER = /^bearer +(phk_[A-Za-z0-9_-]{43})$/i;

/** Why a request is nobody's. */
export const REFUSALS = ['missing', 'malformed', 'unknown', 'expired'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Who sends a request, as far as its token tells. */
export type Identity =
  | { readonly kind: 'service'; readonly service_id: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** The token that these random bytes spell. The prefix lets secret scanners find a leaked one. */
export function tokenOf(bytes: Uint8Array): string {
  if (bytes.length !== TOKEN_BYTES) {
    throw new RangeError(`a token is made of ${TOKEN_BYTES} random bytes, not of ${bytes.length}`);
  }
  return `phk_${Buffer.from(bytes).toString('base64url')}`;
}

/**
 * Hash under which a token is kept: SHA-256, hexadecimal. A slow or salted hash would protect what people choose; a token is 256 random
 * bits, which nobody guesses at any speed, and a plain hash can be looked up.
 */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The token in an `authorization` header of the form `Bearer phk_...`, or why there is none. */
export function bearerToken(header: string | undefined): { readonly token: string } | Refusal {
  if (header === undefined || header.trim() === '') {
    return 'missing';
  }
  const token = BEARER.exec(header)?.[1];
  return token === undefined ? 'malformed' : { token };
}

/** Whose token this is. The expiry is judged here, since DynamoDB may take days to remove what has expired. */
export function identify(record: TokenRecord | undefined, nowMs: number): Identity {
  if (record === undefined) {
    return { kind: 'refused', refusal: 'unknown' };
  }
  const { expires_at_epoch_seconds: expiresAt, service_id } = record;
  return expiresAt !== undefined && nowMs >= expiresAt * 1_000
    ? { kind: 'refused', refusal: 'expired' }
    : { kind: 'service', service_id };
}
