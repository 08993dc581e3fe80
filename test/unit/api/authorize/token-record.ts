import type { TokenRecord } from '../../../../functions/core/api/api-token.ts';

/** A token of the service `shop` that works and has never been used. */
export function tokenRecord(differences: Partial<TokenRecord> = {}): TokenRecord {
  return {
    token_hash: '1111111111111111ffff',
    token_id: 'tok_1111111111111111',
    service_id: 'shop',
    description: '',
    scopes: ['read', 'write'],
    requests_per_minute: 600,
    created_at: '2026-01-01T00:00:00.000Z',
    ...differences,
  };
}
