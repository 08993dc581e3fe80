import type { ChangePosition, ChangeView } from './change.ts';

/** Who changed what, and when. Contains no secret and no payment data. */
export interface AuditEntry extends ChangeView {
  readonly service_id: string;
}

interface ChangesWanted {
  readonly limit: number;
  /** Absent: start with the newest. */
  readonly after?: ChangePosition;
  /** Only changes of this subscription; absent: all. */
  readonly subscriptionId?: string;
}

interface PageOfChanges {
  readonly changes: readonly AuditEntry[];
  /** Where the next page starts; absent on the last page. */
  readonly next?: ChangePosition;
}

/** The changes made by partners, and by operators for them. Append-only; kept for 400 days. */
export interface AuditTrail {
  /** Idempotent per request and time. */
  keep(entry: AuditEntry): Promise<void>;
  /**
   * The changes of a service after a position, newest first. With a `subscriptionId`, a call examines a
   * limited number of changes: its page may be short or empty and still have a `next`.
   */
  page(serviceId: string, wanted: ChangesWanted): Promise<PageOfChanges>;
}

/** How long an entry is kept: more than a year, so that a yearly review finds everything. */
export const AUDIT_DAYS = 400;

/** The position of an entry in the trail of its service. */
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
