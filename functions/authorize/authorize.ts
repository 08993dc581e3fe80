import { bearerToken, type Identity, identify, tokenHash } from '../core/api-token.ts';
import { contextOf, type IdentityContext } from '../core/identity-context.ts';
import type { ApiTokenStore } from './api-token-store.ts';

/** Simple response of an HTTP API authorizer. Source: "Control access to HTTP APIs with AWS Lambda authorizers", format 2.0. */
export interface AuthorizerAnswer {
  readonly isAuthorized: true;
  readonly context: IdentityContext;
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
  { tokens, now }: { readonly tokens: Pick<ApiTokenStore, 'find'>; readonly now: () => number },
): Promise<AuthorizerAnswer> {
  const bearer = bearerToken(authorization);
  const identity: Identity =
    typeof bearer === 'string'
      ? { kind: 'refused', refusal: bearer }
      : identify(await tokens.find(tokenHash(bearer.token)), now());
  return { isAuthorized: true, context: contextOf(identity) };
}
