import { createHash } from 'node:crypto';
import * as z from 'zod';
import { paymentEventSchema } from '../event/event.ts';

/** Whose token it is: the same ids that publishers put on events. */
export const serviceIdSchema = paymentEventSchema.shape.service_id;

/** What a token may do: `read` looks, `write` changes and sends. Neither holds the other. */
export const SCOPES = ['read', 'write'] as const;
export type Scope = (typeof SCOPES)[number];
export const scopesSchema = z.array(z.enum(SCOPES)).min(1);

/** Ten a second: more than looking after webhooks takes, and far below what the API takes of all services together. */
export const DEFAULT_REQUESTS_PER_MINUTE = 600;
/** 1,000 a second, which is what DynamoDB takes of writes to one item. */
export const MAX_REQUESTS_PER_MINUTE = 60_000;

/** An API token as the `api-tokens` table keeps it: never the token, only its hash. */
export const tokenRecordSchema = z.object({
  token_hash: z.string(),
  /** The name of the token among people: `tok_` and the first 16 characters of its hash. */
  token_id: z.string(),
  service_id: serviceIdSchema,
  description: z.string(),
  /** Tokens from before there were scopes have both. */
  scopes: scopesSchema.default([...SCOPES]),
  requests_per_minute: z.int().min(1).max(MAX_REQUESTS_PER_MINUTE).default(DEFAULT_REQUESTS_PER_MINUTE),
  /** ISO 8601 in UTC with milliseconds, as all instants that are text. */
  created_at: z.string(),
  /** From this second on the token is refused; absent: it does not expire. */
  expires_at_epoch_seconds: z.int().optional(),
  /** The token is refused. */
  revoked_at: z.string().optional(),
  /** To the minute: when the window began in which it was used last. */
  last_used_at: z.string().optional(),
  /** The minute in which requests are counted, and how many there were. */
  window_started_at: z.string().optional(),
  window_requests: z.int().optional(),
  /** When the item may go: an ended token is told from an unknown one for a while. */
  remove_at_epoch_seconds: z.int().optional(),
});
export type TokenRecord = z.infer<typeof tokenRecordSchema>;

/** Random bytes of a token. */
export const TOKEN_BYTES = 32;

const BEARER = /^bearer +(phk_[A-Za-z0-9_-]{43})$/i;
const TOKEN_ALONE = /^phk_[A-Za-z0-9_-]{43}$/;

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

export function tokenIdOf(hash: string): string {
  return `tok_${hash.slice(0, 16)}`;
}

/** The token in an `authorization` header of the form `Bearer phk_...`, or what is wrong with the header. */
export function bearerToken(
  header: string | undefined,
): { readonly token: string } | 'missing' | 'no_scheme' | 'malformed' {
  if (header === undefined || header.trim() === '') {
    return 'missing';
  }
  const token = BEARER.exec(header)?.[1];
  if (token !== undefined) {
    return { token };
  }
  return TOKEN_ALONE.test(header) ? 'no_scheme' : 'malformed';
}

/**
 * How long the item of an ended token stays: whoever still uses it is told what became of it. Longer than the 35 days of point-in-time recovery, or a restored
 * table would bring it back to life with nothing to tell that it had ended.
 */
const KEPT_AFTER_END_SECONDS = 40 * 86_400;

/** When the item of a token that ends then may go. */
export function removalOf(endsAtMs: number): number {
  return Math.floor(endsAtMs / 1_000) + KEPT_AFTER_END_SECONDS;
}

/** Whether a token works. The end is judged here, since DynamoDB may take days to remove an item. */
export function stateOf(token: TokenRecord, nowMs: number): 'active' | 'expired' | 'revoked' {
  if (token.revoked_at !== undefined) {
    return 'revoked';
  }
  const expiresAt = token.expires_at_epoch_seconds;
  return expiresAt !== undefined && nowMs >= expiresAt * 1_000 ? 'expired' : 'active';
}
