import type { Attempt } from '../attempt/attempt.ts';
import type { MessageRecord } from './history.ts';
import type { Message, ResourceName } from './message.ts';
import type { PingCounts } from './ping.ts';
import type { PastPage, Recovery } from './recovery.ts';

/**
 * What is written about a message: its record and, unless it was the first, its latest attempt as an item of
 * its own.
 */
export interface Outcome {
  readonly record: MessageRecord;
  readonly laterAttempt?: Attempt;
}

/** Which of some outcomes are not written. */
export interface Unwritten {
  /** Not taken now, to be tried again. */
  readonly untaken: ReadonlySet<Outcome>;
  /** Refused for what they say, with the reason, in which nothing that an outsider wrote stands unescaped. */
  readonly refused: ReadonlyMap<Outcome, string>;
  /** Why calls failed as a whole. */
  readonly internalErrors: readonly unknown[];
}

export interface MessageStore {
  /**
   * Writes outcomes, each over what was there, and answers which are not written. Rejects when nobody knows
   * of any.
   */
  save(outcomes: readonly Outcome[]): Promise<Unwritten>;
  /**
   * Keeps the resource of a large event, once for all its messages: the first one stays, since that is what
   * was sent. Rejects with a `RefusedError` when the store refuses what it says.
   */
  keepResource(event: ResourceName, resource: string, admittedAtMs: number): Promise<void>;
  /**
   * What a recovery looks at next, from an index that may lag behind. At least one instant, if there is one.
   */
  pastMessages(
    recovery: Pick<Recovery, 'service_id' | 'subscription_id' | 'continue_at' | 'until'>,
  ): Promise<PastPage>;
}

export interface RecoveryStore {
  /** The latest one of a subscription. Strongly consistent. */
  find(name: Pick<Recovery, 'service_id' | 'subscription_id'>): Promise<Recovery | undefined>;
  /** Writes a recovery; false when it is further than `before` by now, or there is a newer one. */
  advance(before: Recovery, after: Recovery): Promise<boolean>;
}

/**
 * Announces that a recovery of a service takes a step, and answers how many of the service did so in the last
 * second, or in this one if they are more.
 */
export type CountRecoveries = (serviceId: string) => Promise<number>;

/** Queues a message for an attempt; false when it was not accepted. Never rejects. */
export type SendMessage = (message: Message) => Promise<boolean>;

/** Counts a test ping; returns how many there are in this minute, including it. */
export type CountPing = (of: Pick<Recovery, 'service_id' | 'subscription_id'>) => Promise<PingCounts>;
