import * as z from 'zod';
import { type Answer, refusal } from '../core/api/answer.ts';
import { SCOPES, type Scope } from '../core/api/api-token.ts';
import { identityOf } from '../core/api/identity-context.ts';
import type { Identity, Refusal } from '../core/api/rate-limit.ts';

const identifiedEventSchema = z.object({
  requestContext: z.object({ authorizer: z.object({ lambda: z.unknown() }) }),
});

/** The service that sends a request, and the scopes of its token. */
export type Caller = Extract<Identity, { kind: 'service' }>;

/** What an operation asks of a token; `manage` is all scopes. `none`: it is answered without a token. */
export type NeededScope = Scope | 'manage' | 'none';

/** Sends a request that needs no token; no service has the empty id. */
export const NOBODY: Caller = { kind: 'service', service_id: '', token_id: '', scopes: [] };

const DETAILS: Readonly<Record<Exclude<Refusal, 'too_many'>, string>> = {
  missing: 'Send your API token in the header "authorization: Bearer phk_...".',
  no_scheme: 'The scheme is missing: send "Bearer", a space and the token.',
  malformed:
    'The authorization header is not "Bearer phk_" and 43 characters: check whether the token is complete.',
  unknown: 'This API token does not exist.',
  expired: 'This API token has expired.',
  revoked: 'This API token has been revoked.',
};

/** The identity of the caller. Fails closed: without a well-formed service id there is none. */
export function callerOf(event: unknown): Identity {
  return identityOf(identifiedEventSchema.safeParse(event).data?.requestContext.authorizer.lambda);
}

/**
 * The answer to a request without a usable token: 401, or 429 for a valid token above its rate limit.
 * Source of the header: RFC 6750, section 3: no error code when no token was sent.
 */
export function unauthorized({
  refusal: reason,
  retry_after_seconds: wait = 60,
}: Extract<Identity, { kind: 'refused' }>): Answer {
  if (reason === 'too_many') {
    const detail = `This API token has reached its limit of requests per minute: try again in ${wait} s.`;
    return refusal('too-many-requests', detail, { 'retry-after': String(wait) });
  }
  return refusal('unauthorized', DETAILS[reason], {
    'www-authenticate': reason === 'missing' ? 'Bearer' : 'Bearer error="invalid_token"',
  });
}

/** The scopes of an operation that the caller lacks. */
export function missingScopes(needed: NeededScope, { scopes }: Pick<Caller, 'scopes'>): Scope[] {
  const all = needed === 'none' ? [] : needed === 'manage' ? SCOPES : [needed];
  return all.filter((scope) => !scopes.includes(scope));
}

/** The answer to a valid token without the scope it needs. Source of the header: RFC 6750, section 3.1. */
export function insufficientScope(scope: Scope): Answer {
  return refusal('insufficient-scope', `This API token does not have the scope "${scope}".`, {
    'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"`,
  });
}
