import { bearerToken, type TokenRecord, tokenHash } from '../../core/api/api-token.ts';
import type { ApiTokenStore } from '../../core/api/api-token-store.ts';
import { contextOf, type IdentityContext } from '../../core/api/identity-context.ts';
import { actingToken } from '../../core/api/portal/acting-token.ts';
import { sessionIdIn } from '../../core/api/portal/portal-secrets.ts';
import type { PortalSessionStore } from '../../core/api/portal/portal-session-store.ts';
import { admit, type Identity } from '../../core/api/rate-limit.ts';
import { stageSessionIdIn } from '../../core/api/stage/stage-secrets.ts';
import { actingStageToken } from '../../core/api/stage/stage-session.ts';
import type { StageSessionStore } from '../../core/api/stage/stage-session-store.ts';

/**
 * Simple response of an HTTP API authorizer.
 * Source: "Control access to HTTP APIs with AWS Lambda authorizers", format 2.0.
 */
export interface AuthorizerAnswer {
  readonly isAuthorized: true;
  readonly context: IdentityContext;
}

export interface AuthorizePorts {
  readonly tokens: Pick<ApiTokenStore, 'find' | 'count'>;
  readonly sessions: Pick<PortalSessionStore, 'find' | 'countedAs'>;
  readonly stageSessions: Pick<StageSessionStore, 'find' | 'countedAs'>;
  readonly now: () => number;
  /** Called for a request that passes without being counted, with the error if there was one. */
  readonly uncounted: (tokenId: string, error?: unknown) => void;
}

/**
 * Identifies the token of a request; never refuses one. An HTTP API answers `isAuthorized: false` with 403
 * and a missing identity source with 401, both in a fixed format, while we promise partners 401 with a
 * problem document. So the authorizer identifies and the api refuses: **an integration behind this authorizer
 * must refuse requests without a service** (`callerOf`).
 *
 * The authorizer has no identity source, so API Gateway never answers in its place, and its results are not
 * cached, so a revoked token stops working at once. When it throws, API Gateway answers 500 and does not call
 * the api.
 */
export async function authorize(
  authorization: string | undefined,
  ports: AuthorizePorts,
): Promise<AuthorizerAnswer> {
  const bearer = bearerToken(authorization);
  const identity: Identity =
    typeof bearer === 'string' ? { kind: 'refused', refusal: bearer } : await identified(bearer.token, ports);
  return { isAuthorized: true, context: contextOf(identity) };
}

/**
 * A request can lose the start of a window to a second worker, then the last request of that window to a
 * third. The third read shows which.
 */
const MAX_READS = 3;

/**
 * One read and one write, and for a portal session one read more, unless others use the token at the same
 * moment. A request passes if counting fails.
 */
async function identified(bearer: string, ports: AuthorizePorts): Promise<Identity> {
  const { tokens, now, uncounted } = ports;
  for (let read = 1; ; read += 1) {
    const decision = admit(await recordOf(bearer, ports), now());
    if (decision.kind === 'refused') {
      return decision;
    }
    const { identity, counting } = decision;
    try {
      if (await tokens.count(identity.token_hash, counting)) {
        return identity;
      }
    } catch (error) {
      uncounted(identity.token_id, error);
      return identity;
    }
    if (read === MAX_READS) {
      uncounted(identity.token_id);
      return identity;
    }
  }
}

/** A session ends with the token that made it, so both are read. */
async function recordOf(
  bearer: string,
  { tokens, sessions, stageSessions }: AuthorizePorts,
): Promise<TokenRecord | undefined> {
  const stageSessionId = stageSessionIdIn(bearer);
  if (stageSessionId !== undefined) {
    const found = await stageSessions.find(stageSessionId);
    return found && actingStageToken(found, bearer, stageSessions.countedAs(stageSessionId));
  }
  const sessionId = sessionIdIn(bearer);
  if (sessionId === undefined) {
    return tokens.find(tokenHash(bearer));
  }
  const session = await sessions.find(sessionId);
  const maker = session?.made_by === undefined ? undefined : await tokens.find(session.made_by.token_hash);
  return session && actingToken(session, bearer, sessions.countedAs(sessionId), maker);
}
