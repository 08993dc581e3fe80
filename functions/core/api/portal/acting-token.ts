import { DEFAULT_REQUESTS_PER_MINUTE, type TokenRecord, tokenHash } from '../api-token.ts';
import { type PortalSession, scopesOf } from './portal-session.ts';

/**
 * The token of a session as the authorizer judges it; undefined when this is not the session's token. Its
 * requests count as those of the token that made it: many sessions together may send no more than that one.
 *
 * @param key of the session among token records
 * @param maker the token that made it; undefined also when that is not on record
 */
export function actingToken(
  session: PortalSession,
  token: string,
  key: string,
  maker: TokenRecord | undefined,
): TokenRecord | undefined {
  if (session.secret_hash !== tokenHash(token)) {
    return undefined;
  }
  const { session_id, service_id, rights, subscriptions, created_at, expires_at_epoch_seconds } = session;
  // A token that is not on record any more has ended, and so has what it made.
  const makersEnd = maker === undefined ? session.made_by && created_at : maker.revoked_at;
  const revoked_at = session.revoked_at ?? makersEnd;
  const counted = session.made_by === undefined ? session : maker;
  return {
    token_hash: maker?.token_hash ?? key,
    token_id: session_id,
    service_id,
    description: '',
    scopes: [...scopesOf(rights)],
    requests_per_minute: maker?.requests_per_minute ?? DEFAULT_REQUESTS_PER_MINUTE,
    created_at,
    expires_at_epoch_seconds: Math.min(
      expires_at_epoch_seconds,
      maker?.expires_at_epoch_seconds ?? expires_at_epoch_seconds,
    ),
    ...(subscriptions === undefined ? {} : { subscriptions }),
    ...(revoked_at === undefined ? {} : { revoked_at }),
    ...(counted?.window_started_at === undefined ? {} : { window_started_at: counted.window_started_at }),
    ...(counted?.window_requests === undefined ? {} : { window_requests: counted.window_requests }),
  };
}
