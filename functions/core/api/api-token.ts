import { createHash } from 'node:crypto';
import * as z from 'zod';
import { paymentEventSchema } from '../event/event.ts';
import type { StageRights } from './stage/stage-rights.ts';

/** The service that a token belongs to: the same ids that publishers put on events. */
export const serviceIdSchema = paymentEventSchema.shape.service_id;

/** What a token may do: `read` looks, `write` changes and sends. Neither includes the other. */
export const SCOPES = ['read', 'write'] as const;
export type Scope = (typeof SCOPES)[number];
const scopesSchema = z.array(z.enum(SCOPES)).min(1);

/** Ten per second: more than managing webhooks takes, and far below what the API handles in total. */
export const DEFAULT_REQUESTS_PER_MINUTE = 600;
/** 1,000 per second: what DynamoDB accepts in writes to one item. */
export const MAX_REQUESTS_PER_MINUTE = 60_000;

/** An API token as stored in the `api-tokens` table: only its hash, never the token. */
export const tokenRecordSchema = z.object({
  token_hash: z.string(),
  /** The display id of the token: `tok_` and the first 16 characters of its hash. */
  token_id: z.string(),
  service_id: serviceIdSchema,
  description: z.string(),
  /** Tokens created before scopes existed have both. */
  scopes: scopesSchema.default([...SCOPES]),
  /** The only subscriptions it reaches; absent: all of the service. Set for portal sessions only. */
  subscriptions: z.array(z.string()).min(1).optional(),
  requests_per_minute: z.int().min(1).max(MAX_REQUESTS_PER_MINUTE).default(DEFAULT_REQUESTS_PER_MINUTE),
  /** ISO 8601 in UTC with milliseconds, as are all instants stored as text. */
  created_at: z.string(),
  /** The token is refused from this second on; absent: it does not expire. */
  expires_at_epoch_seconds: z.int().optional(),
  /** Once set, the token is refused. */
  revoked_at: z.string().optional(),
  /** When the window of its last use began: accurate to a minute. */
  last_used_at: z.string().optional(),
  /** When the current window of one minute began, and the requests in it. */
  window_started_at: z.string().optional(),
  window_requests: z.int().optional(),
  /** When the item may be removed: until then an ended token can be told from an unknown one. */
  remove_at_epoch_seconds: z.int().optional(),
});
export type TokenRecord = z.infer<typeof tokenRecordSchema> & {
  /** What a session for the whole stage may do; it belongs to no service. No stored token has it. */
  readonly stage?: StageRights;
};

export const TOKEN_BYTES = 32;

/**
 * Of a service, and of a portal session, which begins with the id of the session: see `portal-secrets.ts`.
 */
const TOKEN = 'phk_[A-Za-z0-9_-]{43}|phs_(?:stage_)?[A-Za-z0-9_-]{65}';
const BEARER = new RegExp(`^bearer +(${TOKEN})$`, 'i');
const TOKEN_ALONE = new RegExp(`^(?:${TOKEN})$`);

/** Encodes random bytes as a token. The prefix lets secret scanners find a leaked one. */
export function tokenOf(bytes: Uint8Array): string {
  if (bytes.length !== TOKEN_BYTES) {
    throw new RangeError(`a token needs ${TOKEN_BYTES} random bytes, not ${bytes.length}`);
  }
  return `phk_${Buffer.from(bytes).toString('base64url')}`;
}

/**
 * The hash under which a token is stored: SHA-256, hexadecimal. Passwords need a slow, salted hash; a token
 * is 256 random bits that nobody can guess at any speed, and a plain hash can be looked up.
 */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export function tokenIdOf(hash: string): string {
  return `tok_${hash.slice(0, 16)}`;
}

/**
 * The token in an `authorization` header of the form `Bearer phk_...` or `Bearer phs_...`, or what is wrong
 * with the header.
 */
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
 * How long the item of an ended token stays, so that whoever still uses it learns what happened. Longer than
 * the 35 days of point-in-time recovery: a restored table must not bring the token back to life with no trace
 * of its end.
 */
const KEPT_AFTER_END_SECONDS = 40 * 86_400;

/** When the item of a token that ends at this instant may be removed. */
export function removalOf(endsAtMs: number): number {
  return Math.floor(endsAtMs / 1_000) + KEPT_AFTER_END_SECONDS;
}

/** The state of a token. Expiry is checked here: DynamoDB may take days to remove an item. */
export function stateOf(
  token: Pick<TokenRecord, 'revoked_at' | 'expires_at_epoch_seconds'>,
  nowMs: number,
): 'active' | 'expired' | 'revoked' {
  if (token.revoked_at !== undefined) {
    return 'revoked';
  }
  const expiresAt = token.expires_at_epoch_seconds;
  return expiresAt !== undefined && nowMs >= expiresAt * 1_000 ? 'expired' : 'active';
}
