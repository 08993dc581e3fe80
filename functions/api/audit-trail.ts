import type { Change } from './answer.ts';

/** Who changed what, and when. Holds no secret and nothing of a payment. */
export interface AuditEntry extends Change {
  readonly service_id: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly at: string;
  readonly request_id: string;
  readonly token_id: string;
  /** The `operationId`. */
  readonly operation: string;
}

/** The changes that partners have made. */
export interface AuditTrail {
  /** Idempotent per request. */
  keep(entry: AuditEntry): Promise<void>;
}

/** Keeps the promises of the port, in memory. */
export function inMemoryAuditTrail(): AuditTrail & { readonly entries: readonly AuditEntry[] } {
  const entries: AuditEntry[] = [];
  return {
    entries,
    async keep(entry) {
      entries.push(entry);
    },
  };
}
