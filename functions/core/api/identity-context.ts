import * as z from 'zod';
import { SCOPES, type Scope, serviceIdSchema } from './api-token.ts';
import { type Identity, REFUSALS } from './rate-limit.ts';
import { STAGE_RIGHTS } from './stage/stage-rights.ts';
import { isStageSessionId } from './stage/stage-secrets.ts';

/**
 * An identity as the authorizer passes it to the API. API Gateway carries only flat values, so all are
 * strings.
 */
export interface IdentityContext {
  /** Empty when the request is refused. */
  readonly service_id: string;
  /** Set for refused requests too when the token is on record: the access log shows it. */
  readonly token_id?: string;
  readonly token_hash?: string;
  /** Separated by spaces. Source of the format: RFC 6749, section 3.3. */
  readonly scopes?: string;
  /** Ids separated by spaces; absent: all of the service. */
  readonly subscriptions?: string;
  /** The rights of a session for the whole stage; then `service_id` is empty. */
  readonly stage?: string;
  readonly refusal?: string;
  /** A whole number. */
  readonly retry_after_seconds?: string;
}

export function contextOf(identity: Identity): IdentityContext {
  if (identity.kind === 'service') {
    const { service_id, token_id, token_hash, scopes, subscriptions, stage } = identity;
    return {
      service_id,
      token_id,
      ...(token_hash === undefined ? {} : { token_hash }),
      scopes: scopes.join(' '),
      ...(subscriptions === undefined ? {} : { subscriptions: subscriptions.join(' ') }),
      ...(stage === undefined ? {} : { stage }),
    };
  }
  const { refusal, token_id, retry_after_seconds: wait } = identity;
  return {
    service_id: '',
    refusal,
    ...(token_id === undefined ? {} : { token_id }),
    ...(wait === undefined ? {} : { retry_after_seconds: String(wait) }),
  };
}

const serviceSchema = z.object({
  service_id: serviceIdSchema,
  token_id: z.string().min(1),
  scopes: z
    .string()
    .transform((text) => text.split(' '))
    .pipe(z.array(z.enum(SCOPES))),
  token_hash: z.string().min(1).optional(),
  subscriptions: z
    .string()
    .min(1)
    .transform((text) => text.split(' '))
    .optional(),
  refusal: z.undefined().optional(),
});

/** A version without stage sessions finds no service in it, and refuses it. */
const stageSchema = z.object({
  service_id: z.literal(''),
  stage: z.enum(STAGE_RIGHTS),
  token_id: z.string().refine(isStageSessionId),
  scopes: serviceSchema.shape.scopes,
  refusal: z.undefined().optional(),
});

const refusedSchema = z.object({
  refusal: z.enum(REFUSALS),
  retry_after_seconds: z
    .string()
    .regex(/^\d{1,2}$/)
    .transform(Number)
    .optional(),
});

/**
 * Parses an identity. Fails closed: anything but a well-formed service is refused, as `missing` unless it
 * gives a reason.
 */
export function identityOf(context: unknown): Identity {
  const service = serviceSchema.safeParse(context);
  if (service.success) {
    const { service_id, token_id, token_hash, scopes, subscriptions } = service.data;
    return {
      kind: 'service',
      service_id,
      token_id,
      scopes: scopes satisfies Scope[],
      ...(token_hash === undefined ? {} : { token_hash }),
      ...(subscriptions === undefined ? {} : { subscriptions }),
    };
  }
  const ofStage = stageSchema.safeParse(context);
  if (ofStage.success) {
    const { service_id, stage, token_id, scopes } = ofStage.data;
    return { kind: 'service', service_id, token_id, scopes, stage };
  }
  const { refusal = 'missing', retry_after_seconds: wait } = refusedSchema.safeParse(context).data ?? {};
  return { kind: 'refused', refusal, ...(wait === undefined ? {} : { retry_after_seconds: wait }) };
}
