import type { TokenRecord } from './api-token.ts';
import type { Counting } from './rate-limit.ts';

export interface ApiTokenStore {
  /** The token with this hash, even if it has expired. Strongly consistent. */
  find(hash: string): Promise<TokenRecord | undefined>;
  /** Rejects when the hash exists. */
  put(record: TokenRecord): Promise<void>;
  /** Counts a request; false when the record has changed since the decision to count it that way. */
  count(hash: string, counting: Counting): Promise<boolean>;
  /** The tokens of a service, oldest first. One that was put a moment ago may be missing. */
  ofService(serviceId: string): Promise<TokenRecord[]>;
  /** Idempotent: does nothing to a token that is already revoked or does not exist. */
  revoke(hash: string, at: Revocation): Promise<void>;
}

type Revocation = Required<Pick<TokenRecord, 'revoked_at' | 'remove_at_epoch_seconds'>>;

/** Keeps the promises of the port, in memory. */
export function inMemoryTokens(): ApiTokenStore {
  const kept = new Map<string, TokenRecord>();
  return {
    find: async (hash) => kept.get(hash),
    put: async (record) => {
      if (kept.has(record.token_hash)) {
        throw new Error('this token already exists');
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
