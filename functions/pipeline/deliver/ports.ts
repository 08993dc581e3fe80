import type { Answers } from '../../core/attempt/answers.ts';
import type { Attempt, AttemptResult } from '../../core/attempt/attempt.ts';
import type { KeptSecrets } from '../../core/attempt/signing-keys.ts';
import type { SlowAttempts } from '../../core/circuit/crowding.ts';
import type { MessageRecord } from '../../core/message/history.ts';
import type { Message } from '../../core/message/message.ts';
import type { BlockedKey, QueuedMessage } from '../../core/ordering/blocked-ordering-key.ts';
import type { OrderingKeyName, Signal, Timer } from '../../core/ordering/signal.ts';
import type { EndpointHealth, Subscription } from '../../core/subscription/subscription.ts';

/** What SQS says of a record of `deliveries.fifo`. */
interface Received {
  readonly recordId: string;
  /** Message group and text, as they came. */
  readonly group: string;
  readonly body: string;
  /** With this SQS lets the record be deleted. */
  readonly receipt: string;
  /** 1 for the first time. */
  readonly receiveCount: number;
  /** When it was received for the first time, in ms since 1970. @default - just now */
  readonly firstReceivedAtMs?: number;
}

/** A record that holds a message to be sent for the first time. */
export interface Delivery extends Received {
  readonly message: Message;
}

/** A record that asks to look at a key. */
export interface Signalled extends Received {
  readonly signal: Signal;
}

export type Incoming = Delivery | Signalled;

/** The key that a record is about. */
export function nameOf(record: Incoming): OrderingKeyName {
  return 'signal' in record ? record.signal : record.message;
}

/** What a batch needs to know before it starts. */
export interface Wanted {
  readonly subscriptions: readonly { readonly service_id: string; readonly subscription_id: string }[];
  /** Ordering keys: whether they are paused. */
  readonly keys: readonly string[];
  /** Messages that may have been sent before. */
  readonly messageIds: readonly string[];
  /** `resourceKey` of events whose resource did not travel. */
  readonly resourceKeys: readonly string[];
}

/** What is secret of a subscription, as it was read. */
export interface KnownSecrets extends KeptSecrets {
  /** Then it has to be read again, in ms since 1970; absent: good for the whole batch. */
  readonly goodUntilMs?: number;
}

export interface Found {
  readonly subscriptions: ReadonlyMap<string, Subscription>;
  /** By subscription; which of them are active is judged when they sign. */
  readonly secrets: ReadonlyMap<string, KnownSecrets>;
  /** The keys that are paused. */
  readonly keys: ReadonlyMap<string, BlockedKey>;
  readonly records: ReadonlyMap<string, MessageRecord>;
  /** JSON texts by `resourceKey` of the event; an empty one was erased. */
  readonly resources: ReadonlyMap<string, string>;
  /** What is there but cannot be read, by id of the subscription, key or message: the fault of those alone, not of the batch. */
  readonly internalErrors: ReadonlyMap<string, Error>;
  /**
   * What could not be had now, by id of the subscription (or its secrets) or message, by ordering key, or by `resourceKey`: too much at once, for a table or for one
   * partition. Whoever depends on it comes again, and nobody else.
   */
  readonly untaken: ReadonlySet<string>;
}

/** A message that waits in a paused key, with what is needed to send it. */
export interface Waiting {
  readonly queuedMessage: QueuedMessage;
  /** Absent when the history knows nothing of it. */
  readonly record?: MessageRecord;
  /** JSON text of the event's resource, where that lies apart from the record; empty when it was erased. */
  readonly resource?: string;
  /** The record is there and cannot be read. */
  readonly internalError?: Error;
}

/** What has to be written about a message: its record, and beside it a try that was not the first. */
export interface Outcome {
  readonly record: MessageRecord;
  readonly laterAttempt?: Attempt;
}

/** What of some outcomes is not written. */
export interface Unwritten {
  /** To be tried again. */
  readonly untaken: ReadonlySet<Outcome>;
  /** The store does not take them for what they are, with the reason; nothing that an outsider wrote stands in it unescaped. */
  readonly refused: ReadonlyMap<Outcome, string>;
  /** Why calls failed as a whole. */
  readonly internalErrors: readonly unknown[];
}

/**
 * Why a record was put aside. `unreadable`: neither message nor hint. `key_unreadable`: the item of its ordering key is there and cannot be read.
 * `unstorable`: the store does not take what there is to be written of it; it may have been posted.
 */
export type RecordDeadLetterReason = 'unreadable' | 'key_unreadable' | 'unstorable';

export interface DeadRecord {
  readonly record: Incoming;
  readonly reason: RecordDeadLetterReason;
  readonly explanation: string;
}

/** Everything that one step changes about a paused key, all or nothing. */
export interface Commit {
  /** The same for each try to write this commit, and for no other commit. */
  readonly token: string;
  readonly orderingKey: string;
  /** The key as it was read; undefined when it was not paused. Somebody else's change since then is `overtaken`. */
  readonly known: BlockedKey | undefined;
  /** The key from now on, with the next revision; undefined when it is paused no more. */
  readonly next: BlockedKey | undefined;
  /**
   * Only pointers are added: nothing of the key changes but its revision. A check of it that was moved on meanwhile stays where it is. @default false
   */
  readonly isAddition?: boolean;
  readonly queuedMessages: readonly QueuedMessage[];
  /** Places of pointers that go. */
  readonly removed: readonly string[];
  readonly outcomes: readonly Outcome[];
}

export interface Arming {
  readonly timer: Timer;
  /** In ms since 1970; not later than SQS delays anything. */
  readonly dueAtMs: number;
}

export interface DeliverPorts {
  /** One call, strongly consistent but for secrets, which may be a minute old. What does not exist is left out; what could not be had is `untaken`. */
  lookUp(wanted: Wanted): Promise<Found>;
  /** The first messages that wait in a key, in their order, and whether these are all. Strongly consistent. */
  waitingIn(orderingKey: string): Promise<{ readonly waiting: readonly Waiting[]; readonly isAll: boolean }>;
  /** One HTTP try. Never rejects; always answers within the deadline. */
  post(request: {
    readonly url: string;
    readonly live: boolean;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly deadlineMs: number;
  }): Promise<AttemptResult>;
  /** Writes outcomes, each over what was there, and answers which of them are not written. Rejects when nobody knows of any. */
  save(outcomes: readonly Outcome[]): Promise<Unwritten>;
  /** Puts records aside with the reason. Answers the ids of those that could not be. */
  deadLetter(deadRecords: readonly DeadRecord[]): Promise<ReadonlySet<string>>;
  /**
   * Writes a commit in one transaction; idempotent per token. Rejects when that could not be done, or nobody knows whether it was; with a `RefusedError` when the store
   * does not take it for what it is.
   */
  commit(commit: Commit): Promise<'written' | 'overtaken'>;
  /**
   * Changes how a subscription stands, on condition that nobody else has in the meantime; where somebody has, anew on what stands there now.
   * Writes nothing when `change` answers its argument. Never rejects: what cannot be written is dropped, and the answer is undefined.
   */
  changeEndpointHealth(
    subscription: Subscription,
    change: (health: EndpointHealth) => EndpointHealth,
  ): Promise<{ readonly before: EndpointHealth; readonly after: EndpointHealth } | undefined>;
  /** Adds to what was counted of a subscription's answers. Never rejects: what is not counted makes a drain slower, and nothing else. */
  countAnswers(subscriptionId: string, answers: Answers): Promise<void>;
  /**
   * Says how many slow attempts this worker has under way, by subscription, and answers what all have said in this second so far. Never rejects: undefined when nobody
   * can say.
   */
  saySlow(own: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, SlowAttempts> | undefined>;
  /** Sends timers on their way. Never rejects: sweep finds what got none. */
  arm(armings: readonly Arming[]): Promise<void>;
  /** Sends hints to their keys' groups, each with a deduplication id of its own. Never rejects: sweep finds what got none. */
  signal(signals: readonly Signal[]): Promise<void>;
  /** Deletes records from the queue before the batch ends. Never rejects: what fails comes again, and the history knows it. */
  acknowledge(records: readonly Incoming[]): Promise<void>;
  readonly observer: DeliverObserver;
  now(): number;
  /** A random number from 0 to 1. */
  draw(): number;
  /** A new token for a commit. */
  token(): string;
  /** Resolves after so many ms. */
  after(ms: number): Promise<void>;
}

/** Lines and metrics; nothing here ever fails. */
export interface DeliverObserver {
  tried(tried: Tried): void;
  /** A message ended without an attempt, or waits: its record says why. */
  concluded(record: MessageRecord): void;
  /** A fault of ours that one group met. */
  internalError(error: unknown, group: readonly Incoming[]): void;
  /** A record was put aside. */
  deadLettered(deadRecord: DeadRecord): void;
  /** A key waits for an operator. */
  keyFaulted(key: BlockedKey): void;
  /** A message was recognised as a repeat and not sent. */
  repeat(message: Message): void;
  /** A pointer whose message nobody knows was removed. */
  queuedMessageLost(queuedMessage: QueuedMessage): void;
  endpointHealthChanged(subscription: Subscription, before: EndpointHealth, after: EndpointHealth): void;
}

export interface Tried {
  readonly record: MessageRecord;
  readonly attempt: Attempt;
  readonly receiveCount: number;
}
