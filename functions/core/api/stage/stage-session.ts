import * as z from 'zod';
import { DEFAULT_REQUESTS_PER_MINUTE, type TokenRecord, tokenHash } from '../api-token.ts';
import {
  LONGEST_SESSION_SECONDS,
  lifeUntil,
  SESSION_LIFE,
  SHORTEST_SESSION_SECONDS,
} from '../portal/portal-session.ts';
import { STAGE_RIGHTS } from './stage-rights.ts';
import { stageSessionIdOf } from './stage-secrets.ts';

/** A session for a whole stage, as stored beside API tokens: neither its code nor its token. */
export const stageSessionSchema = z.object({
  /** `stg_` and 132 bits of the hash of the code. */
  session_id: z.string(),
  rights: z.enum(STAGE_RIGHTS),
  /** Who asked for it, as their command said: the ARN that AWS knows them by. */
  who: z.string().min(1).max(2_048),
  ...SESSION_LIFE,
});
export type StageSession = z.infer<typeof stageSessionSchema>;

export const lastsSecondsSchema = z.int().min(SHORTEST_SESSION_SECONDS).max(LONGEST_SESSION_SECONDS);

interface Wanted extends Pick<StageSession, 'rights' | 'who'> {
  /** 300 to 43200 */
  readonly lastsSeconds: number;
}

export function newStageSession(
  { lastsSeconds, ...wanted }: Wanted,
  code: string,
  nowMs: number,
): StageSession {
  return stageSessionSchema.parse({
    ...wanted,
    session_id: stageSessionIdOf(code),
    ...lifeUntil(Math.floor(nowMs / 1_000) + lastsSeconds, nowMs),
  });
}

/** The token of a session as the authorizer judges it; undefined when this is not the session's token. */
export function actingStageToken(session: StageSession, token: string, key: string): TokenRecord | undefined {
  const { session_id, rights, created_at, expires_at_epoch_seconds, revoked_at } = session;
  return session.secret_hash === tokenHash(token)
    ? {
        token_hash: key,
        token_id: session_id,
        // Of no service: it names one with each request that is about one.
        service_id: '',
        stage: rights,
        description: '',
        scopes: rights === 'on-call' ? ['read', 'write'] : ['read'],
        requests_per_minute: DEFAULT_REQUESTS_PER_MINUTE,
        created_at,
        expires_at_epoch_seconds,
        ...(revoked_at === undefined ? {} : { revoked_at }),
        ...(session.window_started_at === undefined ? {} : { window_started_at: session.window_started_at }),
        ...(session.window_requests === undefined ? {} : { window_requests: session.window_requests }),
      }
    : undefined;
}
