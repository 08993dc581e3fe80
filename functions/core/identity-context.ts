import * as z from 'zod';
import { type Identity, REFUSALS } from './api-token.ts';

/** How an identity travels from the authorizer to the api: API Gateway carries flat values only. */
export const identityContextSchema = z.object({
  /** Empty when the request is nobody's. */
  service_id: z.string(),
  refusal: z.enum(REFUSALS).optional(),
});
export type IdentityContext = z.infer<typeof identityContextSchema>;

export function contextOf(identity: Identity): IdentityContext {
  return identity.kind === 'service'
    ? { service_id: identity.service_id }
    : { service_id: '', refusal: identity.refusal };
}
