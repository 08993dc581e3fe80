import { type Scope, stateOf, type TokenRecord } from './api-token.ts';
import type { StageRights } from './stage/stage-rights.ts';

export const REFUSALS = [
  'missing',
  'no_scheme',
  'malformed',
  'unknown',
  'expired',
  'revoked',
  'too_many',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Who sent a request, as far as its token shows. */
export type Identity =
  | {
      readonly kind: 'service';
      readonly service_id: string;
      /** The id of the portal session if it is a session's token. */
      readonly token_id: string;
      /** Under which the token is on record, or the token that made the portal session. */
      readonly token_hash?: string;
      readonly scopes: readonly Scope[];
      /** The only subscriptions it reaches; absent: all of the service. */
      readonly subscriptions?: readonly string[];
      /** What a session for the whole stage may do; its `service_id` is empty. */
      readonly stage?: StageRights;
    }
  | {
      readonly kind: 'refused';
      readonly refusal: Refusal;
      /** With `too_many`: seconds until the next window, 1 to 60. */
      readonly retry_after_seconds?: number;
      /** For the access log; absent when the token is not on record. */
      readonly token_id?: string;
    };

type Service = Extract<Identity, { kind: 'service' }>;
type Refused = Extract<Identity, { kind: 'refused' }>;

/** How to count a request, on condition that the token record has not changed since it was read. */
export type Counting =
  /** The first request of a window: replaces the previous window. */
  | { readonly kind: 'begin'; readonly at: string; readonly previous: string | undefined }
  /** One more request in a window that allows at most `max`. */
  | { readonly kind: 'add'; readonly to: string; readonly max: number };

export type RateLimitDecision =
  | Refused
  | {
      readonly kind: 'admitted';
      readonly identity: Service & Pick<TokenRecord, 'token_hash'>;
      readonly counting: Counting;
    };

const WINDOW_MS = 60_000;

/**
 * Whose request this is, and how to count it. A window lasts one minute and starts with the first request
 * after the previous window, so up to twice the limit may arrive within a minute around the border of two
 * windows.
 *
 * @param token undefined when the token is not on record
 */
export function admit(token: TokenRecord | undefined, nowMs: number): RateLimitDecision {
  if (token === undefined) {
    return { kind: 'refused', refusal: 'unknown' };
  }
  const { service_id, token_id, token_hash, scopes, subscriptions, stage, requests_per_minute: max } = token;
  const state = stateOf(token, nowMs);
  if (state !== 'active') {
    return { kind: 'refused', refusal: state, token_id };
  }
  const identity = {
    kind: 'service' as const,
    service_id,
    token_id,
    token_hash,
    scopes,
    ...(subscriptions === undefined ? {} : { subscriptions }),
    ...(stage === undefined ? {} : { stage }),
  };
  const { window_started_at: started, window_requests: requests = 0 } = token;
  // A window slightly in the future comes from another worker's clock; one far in the future, from a wrong
  // clock.
  if (started === undefined || Math.abs(nowMs - Date.parse(started)) >= WINDOW_MS) {
    const at = new Date(nowMs).toISOString();
    return { kind: 'admitted', identity, counting: { kind: 'begin', at, previous: started } };
  }
  if (requests >= max) {
    const leftMs = Date.parse(started) + WINDOW_MS - nowMs;
    const retry_after_seconds = Math.min(60, Math.ceil(leftMs / 1_000));
    return { kind: 'refused', refusal: 'too_many', retry_after_seconds, token_id };
  }
  return { kind: 'admitted', identity, counting: { kind: 'add', to: started, max } };
}
