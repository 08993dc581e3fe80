import * as z from 'zod';
import { type Identity, type Refusal, serviceIdSchema } from '../core/api-token.ts';
import { identityContextSchema } from '../core/identity-context.ts';
import { type Answer, refusal } from './answer.ts';

const identifiedEventSchema = z.object({
  requestContext: z.object({ authorizer: z.object({ lambda: identityContextSchema }) }),
});

const DETAILS: Readonly<Record<Refusal, string>> = {
  missing: 'Send your API token in the header "authorization: Bearer phk_...".',
  malformed: 'The authorization header is not "Bearer phk_" and 43 characters: was the token cut off?',
  unknown: 'This API token is not known, or has been revoked.',
  expired: 'This API token has expired.',
};

/** Whose request this is. Fails closed: whatever does not name a service in good form is nobody's, even without an authorizer. */
export function callerOf(event: unknown): Identity {
  const context = identifiedEventSchema.safeParse(event).data?.requestContext.authorizer.lambda;
  const service = serviceIdSchema.safeParse(context?.service_id);
  return context !== undefined && context.refusal === undefined && service.success
    ? { kind: 'service', service_id: service.data }
    : { kind: 'refused', refusal: context?.refusal ?? 'missing' };
}

/** Source of the header: RFC 6750, section 3; no error code when no token was sent. */
export function unauthorized(reason: Refusal): Answer {
  return refusal('unauthorized', DETAILS[reason], {
    'www-authenticate': reason === 'missing' ? 'Bearer' : 'Bearer error="invalid_token"',
  });
}
