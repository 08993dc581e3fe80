import { type Scope, stateOf, type TokenRecord } from './api-token.ts';

/** Why a request is turned away. */
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

/** Who sends a request, as far as its token tells. */
export type Identity =
  | {
      readonly kind: 'service';
      readonly service_id: string;
      readonly token_id: string;
      readonly scopes: readonly Scope[];
    }
  | {
      readonly kind: 'refused';
      readonly refusal: Refusal;
      /** With `too_many`: when requests are counted anew, 1 to 60. */
      readonly retry_after_seconds?: number;
      /** For the access log; absent when the token is not on record. */
      readonly token_id?: string;
    };

type Service = Extract<Identity, { kind: 'service' }>;
type Refused = Extract<Identity, { kind: 'refused' }>;

/** How a request is to be counted, on condition that the record is still as it was read. */
export type Counting =
  /** The first request of a window, in place of the window before it. */
  | { readonly kind: 'begin'; readonly at: string; readonly previous: string | undefined }
  /** One more of a window, of which so many at most may be counted. */
  | { readonly kind: 'add'; readonly to: string; readonly max: number };

/** What becomes of a request. */
export type RateLimitDecision =
  | Refused
  | { readonly kind: 'admitted'; readonly identity: Service; readonly counting: Counting };

const WINDOW_MS = 60_000;

/**
 * Whose request this is, and how it is counted. Requests are counted in windows of a minute, each begun by the first request after the one before:
 * around the border of two windows as many as twice the limit may come within a minute.
 *
 * @param token the record of the token, undefined when there is none
 */
export function admit(token: TokenRecord | undefined, nowMs: number): RateLimitDecision {
  if (token === undefined) {
    return { kind: 'refused', refusal: 'unknown' };
  }
  const { service_id, token_id, scopes, requests_per_minute: max } = token;
  const state = stateOf(token, nowMs);
  if (state !== 'active') {
    return { kind: 'refused', refusal: state, token_id };
  }
  const identity: Service = { kind: 'service', service_id, token_id, scopes };
  const { window_started_at: started, window_requests: requests = 0 } = token;
  // A little in the future is the clock of another worker; far in the future, a clock that was wrong.
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
