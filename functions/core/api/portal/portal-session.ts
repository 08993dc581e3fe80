import * as z from 'zod';
import { SCOPES, type Scope, serviceIdSchema, stateOf, type TokenRecord } from '../api-token.ts';
import { sessionIdOf } from './portal-secrets.ts';

/** What a portal session may do: `read` looks; `manage` also changes and sends. */
export const RIGHTS = ['read', 'manage'] as const;
export type Rights = (typeof RIGHTS)[number];

/** Time to pass a link on and to open it; whoever finds it later in a mailbox gets nothing. */
export const LINK_SECONDS = 600;
/** A working day: nobody signs in twice a day, and what was stolen yesterday opens nothing. */
export const DEFAULT_SESSION_SECONDS = 8 * 3_600;
/** The longest shift, so that no session outlives the presence of the person who opened it. */
export const LONGEST_SESSION_SECONDS = 12 * 3_600;
export const SHORTEST_SESSION_SECONDS = 300;
/** How many sessions a service can make in the time that one can last: what a list has to read at most. */
export const MAX_SESSIONS = 500;
/** Until then whoever still uses the session learns what happened to it. */
const KEPT_AFTER_END_SECONDS = 2 * 86_400;

/** What every session has as stored, of a service or of the whole stage. */
export const SESSION_LIFE = {
  created_at: z.string(),
  /** The link works before this second. */
  link_expires_at_epoch_seconds: z.int(),
  /** The token is refused from this second on. */
  expires_at_epoch_seconds: z.int(),
  /** Set with `secret_hash` when the code was exchanged. */
  exchanged_at: z.string().optional(),
  /** The hash of the token that the code was exchanged for. */
  secret_hash: z.string().optional(),
  /** Once set, neither link nor token work. */
  revoked_at: z.string().optional(),
  remove_at_epoch_seconds: z.int(),
  /** As in a token record, where no token made it. */
  window_started_at: z.string().optional(),
  window_requests: z.int().optional(),
};

/** When a session that is made now begins and ends, and its link. @param expiresAt in epoch seconds */
export function lifeUntil(expiresAt: number, nowMs: number) {
  return {
    created_at: new Date(nowMs).toISOString(),
    link_expires_at_epoch_seconds: Math.min(Math.floor(nowMs / 1_000) + LINK_SECONDS, expiresAt),
    expires_at_epoch_seconds: expiresAt,
    remove_at_epoch_seconds: expiresAt + KEPT_AFTER_END_SECONDS,
  };
}

/** A portal session as stored beside API tokens: neither its code nor its token. */
export const portalSessionSchema = z.object({
  /** `ses_` and 132 bits of the hash of the code: who has the code finds the session, but not the reverse. */
  session_id: z.string(),
  service_id: serviceIdSchema,
  rights: z.enum(RIGHTS),
  /** The only subscriptions it reaches; absent: all of the service. */
  subscriptions: z.array(z.string()).min(1).optional(),
  /** The token that made it; absent: an operator did. */
  made_by: z.object({ token_id: z.string(), token_hash: z.string() }).optional(),
  ...SESSION_LIFE,
});
export type PortalSession = z.infer<typeof portalSessionSchema>;

/** What of a token decides whether the sessions that it made still work. */
export type Maker = Pick<TokenRecord, 'revoked_at' | 'expires_at_epoch_seconds'>;

export interface SessionWanted
  extends Pick<PortalSession, 'service_id' | 'rights' | 'subscriptions' | 'made_by'> {
  /** 300 to 43200 */
  readonly lastsSeconds: number;
}

/** @param maker the token that makes it, which the session does not outlive; undefined: an operator does */
export function newPortalSession(
  { lastsSeconds, ...wanted }: SessionWanted,
  code: string,
  maker: Maker | undefined,
  nowMs: number,
): PortalSession {
  const expiresAt = Math.min(
    Math.floor(nowMs / 1_000) + lastsSeconds,
    maker?.expires_at_epoch_seconds ?? Number.POSITIVE_INFINITY,
  );
  return portalSessionSchema.parse({
    ...wanted,
    session_id: sessionIdOf(code),
    ...lifeUntil(expiresAt, nowMs),
  });
}

export function scopesOf(rights: Rights): readonly Scope[] {
  return rights === 'manage' ? SCOPES : ['read'];
}

/** `waiting`: the link was not used yet. `used`: there is a token, and it works. */
export function sessionStateOf(
  session: Pick<
    PortalSession,
    'revoked_at' | 'exchanged_at' | 'link_expires_at_epoch_seconds' | 'expires_at_epoch_seconds'
  >,
  nowMs: number,
): 'waiting' | 'used' | 'ended' {
  if (session.revoked_at !== undefined) {
    return 'ended';
  }
  const [state, endsAt] =
    session.exchanged_at === undefined
      ? (['waiting', session.link_expires_at_epoch_seconds] as const)
      : (['used', session.expires_at_epoch_seconds] as const);
  return nowMs < endsAt * 1_000 ? state : 'ended';
}

/** Sessions made before this have all ended. */
export function oldestOpen(nowMs: number): string {
  return new Date(nowMs - LONGEST_SESSION_SECONDS * 1_000).toISOString();
}

/** A session made with a token ends with it, at once. */
export function isMakerGone({ made_by }: PortalSession, maker: Maker | undefined, nowMs: number): boolean {
  return made_by !== undefined && (maker === undefined || stateOf(maker, nowMs) !== 'active');
}
