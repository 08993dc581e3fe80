import type { TokenRecord } from '../core/api-token.ts';

export interface ApiTokenStore {
  /** What is kept under a hash; also what has expired. Sees every earlier `put` and every removal. */
  find(hash: string): Promise<TokenRecord | undefined>;
  /** Rejects when the hash is taken. */
  put(record: TokenRecord): Promise<void>;
}

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
  };
}
