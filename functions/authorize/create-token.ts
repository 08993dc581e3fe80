import { randomBytes } from 'node:crypto';
import { serviceIdSchema, TOKEN_BYTES, type TokenRecord, tokenHash, tokenOf } from '../core/api-token.ts';
import type { ApiTokenStore } from './api-token-store.ts';

export interface TokenWish {
  readonly serviceId: string;
  readonly description?: string;
  /** @default - the token does not expire */
  readonly expiresInDays?: number;
}

/**
 * Makes an API token for a service. The token is in this answer and nowhere else: only its hash is kept.
 *
 * @throws z.ZodError when the service id is not of the form that events have
 */
export async function createToken(
  store: Pick<ApiTokenStore, 'put'>,
  { serviceId, description = '', expiresInDays }: TokenWish,
  nowMs = Date.now(),
): Promise<{ readonly token: string; readonly record: TokenRecord }> {
  const token = tokenOf(randomBytes(TOKEN_BYTES));
  const record: TokenRecord = {
    token_hash: tokenHash(token),
    service_id: serviceIdSchema.parse(serviceId),
    description,
    created_at: new Date(nowMs).toISOString(),
    ...(expiresInDays === undefined
      ? {}
      : { expires_at_epoch_seconds: Math.floor(nowMs / 1_000) + expiresInDays * 86_400 }),
  };
  await store.put(record);
  return { token, record };
}
