import { randomBytes } from 'node:crypto';
import {
  DEFAULT_REQUESTS_PER_MINUTE,
  removalOf,
  SCOPES,
  type Scope,
  TOKEN_BYTES,
  type TokenRecord,
  tokenHash,
  tokenIdOf,
  tokenOf,
  tokenRecordSchema,
} from '../../core/api/api-token.ts';
import type { ApiTokenStore } from '../../core/api/api-token-store.ts';

export interface TokenOptions {
  readonly serviceId: string;
  readonly description?: string;
  /** @default - all scopes */
  readonly scopes?: readonly Scope[];
  /** @default - the token does not expire */
  readonly expiresInDays?: number;
  /** 1 to 60000. @default 600 */
  readonly requestsPerMinute?: number;
}

/**
 * Creates an API token for a service. Only its hash is stored, so this result is the only place where the
 * token appears.
 *
 * @throws z.ZodError when the service id is one that no event can have, there is no scope, or the limit is
 * out of range
 */
export async function createToken(
  store: Pick<ApiTokenStore, 'put'>,
  {
    serviceId,
    description = '',
    scopes = SCOPES,
    expiresInDays,
    requestsPerMinute = DEFAULT_REQUESTS_PER_MINUTE,
  }: TokenOptions,
  nowMs = Date.now(),
): Promise<{ readonly token: string; readonly record: TokenRecord }> {
  const token = tokenOf(randomBytes(TOKEN_BYTES));
  const hash = tokenHash(token);
  const record = tokenRecordSchema.parse({
    token_hash: hash,
    token_id: tokenIdOf(hash),
    service_id: serviceId,
    description,
    scopes,
    requests_per_minute: requestsPerMinute,
    created_at: new Date(nowMs).toISOString(),
    ...(expiresInDays === undefined ? {} : expiry(nowMs + expiresInDays * 86_400_000)),
  });
  await store.put(record);
  return { token, record };
}

function expiry(atMs: number) {
  return { expires_at_epoch_seconds: Math.floor(atMs / 1_000), remove_at_epoch_seconds: removalOf(atMs) };
}
