import { isMakerGone, type Maker, type PortalSession, sessionStateOf } from './portal-session.ts';

/** What a code is exchanged for. */
export interface Exchanged {
  readonly exchanged_at: string;
  /** The hash of the new token. */
  readonly secret_hash: string;
}

/** Keeps sessions: those of services, or of the whole stage. */
export interface SessionStore<Session> {
  /** Rejects when there is a session with this id. */
  add(session: Session): Promise<void>;
  /** Strongly consistent; also sessions that have ended. */
  find(sessionId: string): Promise<Session | undefined>;
  /** The `token_hash` under which the requests of a session without a token are counted. */
  countedAs(sessionId: string): string;
  /**
   * Exchanges the code of a session that waits, once: of several at a time one gets the session, the others
   * undefined, as when it waits no longer.
   */
  exchange(sessionId: string, by: Exchanged, nowMs: number): Promise<Session | undefined>;
  /** Idempotent: keeps the first revocation. */
  revoke(sessionId: string, revokedAt: string): Promise<void>;
}

export interface PortalSessionStore extends SessionStore<PortalSession> {
  /** Strongly consistent. Undefined when the token is not on record. */
  maker(tokenHash: string): Promise<Maker | undefined>;
  /** How many a service has made since; may lag by about a second. Counts to `max` at most. */
  count(serviceId: string, since: string, max: number): Promise<number>;
  /**
   * The sessions that a service has made since, newest first; one that was added a moment ago may be missing.
   */
  ofService(serviceId: string, since: string, max: number): Promise<PortalSession[]>;
}

/** What decides how a session stands. */
type Life = Parameters<typeof sessionStateOf>[0] & { readonly session_id: string };

/** Keeps the promises of the port, in memory. @param kept by id */
export function inMemorySessions<Session extends Life>(
  kept = new Map<string, Session>(),
): SessionStore<Session> {
  return {
    async add(session) {
      if (kept.has(session.session_id)) {
        throw new Error('this session already exists');
      }
      kept.set(session.session_id, session);
    },
    find: async (sessionId) => kept.get(sessionId),
    countedAs: (sessionId) => sessionId,
    async exchange(sessionId, by, nowMs) {
      const session = kept.get(sessionId);
      if (session === undefined || sessionStateOf(session, nowMs) !== 'waiting') {
        return undefined;
      }
      const exchanged = { ...session, ...by };
      kept.set(sessionId, exchanged);
      return exchanged;
    },
    async revoke(sessionId, revoked_at) {
      const session = kept.get(sessionId);
      if (session !== undefined && session.revoked_at === undefined) {
        kept.set(sessionId, { ...session, revoked_at });
      }
    },
  };
}

/** Likewise for services. @param maker of the tokens on record; by default all are, and last */
export function inMemoryPortalSessions(
  maker: PortalSessionStore['maker'] = async () => ({}),
): PortalSessionStore {
  const kept = new Map<string, PortalSession>();
  const sessions = inMemorySessions(kept);
  const since = (serviceId: string, at: string) =>
    [...kept.values()].filter(({ service_id, created_at }) => service_id === serviceId && created_at >= at);
  return {
    ...sessions,
    maker,
    async exchange(sessionId, by, nowMs) {
      const made = await maker(kept.get(sessionId)?.made_by?.token_hash ?? '');
      const session = kept.get(sessionId);
      return session === undefined || isMakerGone(session, made, nowMs)
        ? undefined
        : sessions.exchange(sessionId, by, nowMs);
    },
    count: async (serviceId, at, max) => Math.min(max, since(serviceId, at).length),
    ofService: async (serviceId, at, max) =>
      since(serviceId, at)
        .sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
        .slice(0, max),
  };
}
