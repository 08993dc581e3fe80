import type { Timer } from './timer.ts';

/** What sweep needs of an item whose check has passed, as an index has it. */
export interface Overdue {
  /** What the item waits for. */
  readonly timer: Timer;
  /** When that is due, ISO 8601. Absent: now. */
  readonly dueAt?: string;
  /** As it was read, ISO 8601. */
  readonly checkAt: string;
  /** Where the check is stored. */
  readonly place: CheckPlace;
}

export interface CheckPlace {
  readonly table: string;
  /** The key of the item. */
  readonly address: Readonly<Record<string, unknown>>;
  readonly check: 'check_at' | 'age_check_at';
}

export interface OverdueItems {
  /**
   * What is overdue at an instant (ISO 8601), the oldest of each shard first; shard after shard, page after
   * page. An index that cannot be read does not keep the others from being read: its error comes at the end.
   */
  overdue(until: string): AsyncIterable<readonly Overdue[]>;
  /** Moves its check on to an instant (ISO 8601); false when it is not what was read any more. */
  moveCheck(overdue: Overdue, checkAt: string): Promise<boolean>;
}
