import type { MessageRecord } from '../message/history.ts';
import type { Outcome } from '../message/ports.ts';
import type { BlockedKey, QueuedMessage } from './blocked-ordering-key.ts';
import type { InBacklog } from './circuit-timer.ts';
import type { Lease, LeaseResult } from './lease.ts';
import type { LeaseName } from './lease-id.ts';

/** A queued message, with what is needed to send it. */
export interface Waiting {
  readonly queuedMessage: QueuedMessage;
  /** Absent when the history does not know the message. */
  readonly record?: MessageRecord;
  /** JSON text of the event's resource, if that is stored apart from the record; empty when it was erased. */
  readonly resource?: string;
  /** The record is there and cannot be read. */
  readonly internalError?: Error;
}

/**
 * What is written: everything that one step changes about a blocked ordering key and its messages, all or
 * nothing.
 */
export interface Commit {
  /** The same for each try to write this commit, and for no other commit. */
  readonly token: string;
  readonly orderingKey: string;
  /**
   * As it was read; undefined when it was not blocked. A change by anybody else since then makes it
   * `overtaken`.
   */
  readonly known: BlockedKey | undefined;
  /** As it is from now on, with the next revision; undefined when it is not blocked any more. */
  readonly next: BlockedKey | undefined;
  /**
   * Only messages behind the head are added or removed, and nothing of the ordering key changes but its
   * revision: a `check_at` that was moved on meanwhile stays. @default false
   */
  readonly isAddition?: boolean;
  readonly queuedMessages: readonly QueuedMessage[];
  /** Positions of queued messages that go. */
  readonly removed: readonly string[];
  readonly outcomes: readonly Outcome[];
}

export interface OrderingKeyStore {
  /**
   * The first messages that wait for an ordering key, in order, and whether these are all. Strongly
   * consistent.
   */
  waitingIn(orderingKey: string): Promise<{ readonly waiting: readonly Waiting[]; readonly isAll: boolean }>;
  /**
   * Writes a commit in one transaction; idempotent per token. Rejects when that failed, or nobody knows
   * whether it did; with a `RefusedError` when the store refuses what it says.
   */
  commit(commit: Commit): Promise<'written' | 'overtaken'>;
}

/** Messages that partners have in hand. */
export interface LeaseStore {
  /**
   * Keeps an ordering key of a backlog from being given to anybody until an instant (ISO 8601), when sweep checks
   * it; false when it is not as it was read: somebody else has it.
   */
  hold(key: InBacklog, until: string): Promise<boolean>;
  /** Leases a queued message; false when it is leased, or is not as it was read. */
  lease(queued: QueuedMessage, lease: Lease): Promise<boolean>;
  /**
   * Writes the result of a lease, unless it has one. The lease as it is then, with the result that counts;
   * undefined: there is no such lease any more.
   */
  endLease(
    of: Pick<LeaseName, 'position' | 'id'> & Pick<QueuedMessage, 'ordering_key'>,
    result: LeaseResult,
  ): Promise<Lease | undefined>;
}

/** The backlog of a subscription, from an index that may lag behind. */
export interface Backlog {
  /**
   * Its first ordering keys, longest waiting first, or the first that joined at `from` (ISO 8601) or later.
   */
  backlog(subscriptionId: string, max: number, from?: string): Promise<readonly InBacklog[]>;
  /** Those that joined last, in any order. */
  newestOfBacklog(subscriptionId: string, max: number): Promise<readonly InBacklog[]>;
  /** How many messages wait, counted up to `max`. */
  waiting(subscriptionId: string, max: number): Promise<number>;
  /**
   * Moves `check_at` on to an instant (ISO 8601); false when it is not what was read: another worker has the
   * ordering key. `backloggedAt`: its position moves there, too.
   */
  moveCheck(key: InBacklog, checkAt: string, backloggedAt?: string): Promise<boolean>;
}
