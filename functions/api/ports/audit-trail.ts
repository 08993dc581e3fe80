import type { ChangePosition, ChangeView } from '../../core/api/change.ts';

/** Who changed what, and when. Holds no secret and nothing of a payment. */
export interface AuditEntry extends ChangeView {
  readonly service_id: string;
}

export interface ChangesWanted {
  readonly limit: number;
  /** Absent: from the newest on. */
  readonly after?: ChangePosition;
  /** Only changes of this subscription; absent: all. */
  readonly subscriptionId?: string;
}

export interface PageOfChanges {
  readonly changes: readonly AuditEntry[];
  /** Where the list goes on; absent when it has ended. */
  readonly next?: ChangePosition;
}

/** The changes that partners have made, and operators for them, for 400 days. Nothing in it is ever changed. */
export interface AuditTrail {
  /** Idempotent per request and instant. */
  keep(entry: AuditEntry): Promise<void>;
  /**
   * The changes of a service after a place, newest first. When those of a subscription are wanted, only so many are looked through at a time: a page
   * may then be short, or empty, and still lead on.
   */
  page(serviceId: string, wanted: ChangesWanted): Promise<PageOfChanges>;
}

/** How long an entry is kept: more than a year, so that a yearly review finds all of it. */
export const AUDIT_DAYS = 400;

/** Where an entry lies in the trail of its service. */
export function positionIn({ at, request_id }: ChangePosition): string {
  return `${at}#${request_id}`;
}

/** Keeps the promises of the port, in memory and for ever. */
export function inMemoryAuditTrail(): AuditTrail & { readonly entries: readonly AuditEntry[] } {
  const entries: AuditEntry[] = [];
  return {
    entries,
    async keep(entry) {
      if (!entries.some((other) => positionIn(other) === positionIn(entry))) {
        entries.push(entry);
      }
    },
    async page(serviceId, { limit, after, subscriptionId }) {
      const found = entries
        .filter(({ service_id }) => service_id === serviceId)
        .filter((entry) => after === undefined || positionIn(entry) < positionIn(after))
        .filter(({ subscription_id }) => subscriptionId === undefined || subscription_id === subscriptionId)
        .sort((a, b) => (positionIn(a) < positionIn(b) ? 1 : -1));
      const changes = found.slice(0, limit);
      const last = changes.at(-1);
      return { changes, ...(found.length > limit && last !== undefined ? { next: last } : {}) };
    },
  };
}
