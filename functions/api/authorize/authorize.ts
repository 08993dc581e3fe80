import { bearerToken, tokenHash } from '../../core/api/api-token.ts';
import { contextOf, type IdentityContext } from '../../core/api/identity-context.ts';
import { admit, type Identity } from '../../core/api/rate-limit.ts';
import type { ApiTokenStore } from './api-token-store.ts';

/** Simple response of an HTTP API authorizer. Source: "Control access to HTTP APIs with AWS Lambda authorizers", format 2.0. */
export interface AuthorizerAnswer {
  readonly isAuthorized: true;
  readonly context: IdentityContext;
}

export interface AuthorizePorts {
  readonly tokens: Pick<ApiTokenStore, 'find' | 'count'>;
  readonly now: () => number;
  /** Told of a request that was let pass without having been counted, and of the fault if there was one. */
  readonly uncounted: (tokenId: string, fieldError?: unknown) => void;
}

/**
 * Tells whose token a request bears; it never turns one away. An HTTP API answers `isAuthorized: false` with 403 and a missing identity
 * source with 401, both in a form of its own that cannot be changed, while partners are promised 401 and a problem document. So the
 * authorizer identifies and the api refuses: **an integration behind this authorizer must refuse what names no service** (`callerOf`).
 *
 * It has no identity source, so that API Gateway never answers for it, and its answers are not cached: a revoked token ends at once.
 * When it throws, API Gateway answers 500 and the api is not called.
 */
export async function authorize(
  authorization: string | undefined,
  ports: AuthorizePorts,
): Promise<AuthorizerAnswer> {
  const bearer = bearerToken(authorization);
  const identity: Identity =
    typeof bearer === 'string'
      ? { kind: 'refused', refusal: bearer }
      : await identified(tokenHash(bearer.token), ports);
  return { isAuthorized: true, context: contextOf(identity) };
}

/** One that loses the beginning of a window to another worker, and then its last place to a third, knows by the third reading. */
const MAX_READINGS = 3;

/** One read and one write, unless others use the token at the same moment. Nobody is turned away because counting fails. */
async function identified(hash: string, { tokens, now, uncounted }: AuthorizePorts): Promise<Identity> {
  for (let reading = 1; ; reading += 1) {
    const decision = admit(await tokens.find(hash), now());
    if (decision.kind === 'refused') {
      return decision;
    }
    const { identity, counting } = decision;
    try {
      if (await tokens.count(hash, counting)) {
        return identity;
      }
    } catch (fieldError) {
      uncounted(identity.token_id, fieldError);
      return identity;
    }
    if (reading === MAX_READINGS) {
      uncounted(identity.token_id);
      return identity;
    }
  }
}
