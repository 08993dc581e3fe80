import type { TokenRecord } from '../../core/api/api-token.ts';
import type { Counting } from '../../core/api/rate-limit.ts';

export interface ApiTokenStore {
  /** What is kept under a hash; also what has expired. Sees every earlier change. */
  find(hash: string): Promise<TokenRecord | undefined>;
  /** Rejects when the hash is taken. */
  put(record: TokenRecord): Promise<void>;
  /** Counts a request; false when the record is not any more as it was when this counting was decided on. */
  count(hash: string, counting: Counting): Promise<boolean>;
  /** The tokens of a service, the oldest first. One that was put a moment ago may be missing. */
  ofService(serviceId: string): Promise<TokenRecord[]>;
  /** Idempotent: a token that is revoked already, or not there, stays as it is. */
  revoke(hash: string, at: Revocation): Promise<void>;
}

export type Revocation = Required<Pick<TokenRecord, 'revoked_at' | 'remove_at_epoch_seconds'>>;

/** Keeps the promises of the port, in memory. */
export function inMemoryTokens(): ApiTokenStore {
  const kept = new Map<string, TokenRecord>();
  return {
    find: async (hash) => kept.get(hash),
    put: async (record) => {
      if (kept.has(record.token_hash)) {
        throw new Error('this token exists already');
      }
      kept.set(record.token_hash, record);
    },
    count: async (hash, counting) => {
      const counted = afterCounting(kept.get(hash), counting);
      if (counted !== undefined) {
        kept.set(hash, counted);
      }
      return counted !== undefined;
    },
    ofService: async (serviceId) =>
      [...kept.values()]
        .filter(({ service_id }) => service_id === serviceId)
        .sort((a, b) => (a.created_at < b.created_at ? -1 : 1)),
    revoke: async (hash, at) => {
      const record = kept.get(hash);
      if (record !== undefined && record.revoked_at === undefined) {
        kept.set(hash, { ...record, ...at });
      }
    },
  };
}

function afterCounting(record: TokenRecord | undefined, counting: Counting): TokenRecord | undefined {
  const { window_started_at: started, window_requests: requests = 0 } = record ?? {};
  if (record === undefined) {
    return undefined;
  }
  if (counting.kind === 'begin') {
    return started === counting.previous
      ? { ...record, window_started_at: counting.at, window_requests: 1, last_used_at: counting.at }
      : undefined;
  }
  return started === counting.to && requests < counting.max
    ? { ...record, window_requests: requests + 1 }
    : undefined;
}
