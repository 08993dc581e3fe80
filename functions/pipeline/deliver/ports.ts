import type { Attempt, AttemptResult } from '../../core/attempt/attempt.ts';
import type { EndpointHealth } from '../../core/circuit/health-shape.ts';
import type { EndpointCounts } from '../../core/circuit/ports.ts';
import type { MessageRecord } from '../../core/message/history.ts';
import type { Message } from '../../core/message/message.ts';
import type { MessageStore } from '../../core/message/ports.ts';
import type { BlockedKey, QueuedMessage } from '../../core/ordering/blocked-ordering-key.ts';
import type { DeliveryReader } from '../../core/ordering/delivery-reader.ts';
import type { LeaseStore, OrderingKeyStore } from '../../core/ordering/ports.ts';
import type { Killer } from '../../core/ordering/suspects.ts';
import type { Arming } from '../../core/signal/due.ts';
import type { OrderingKeyName, Signal } from '../../core/signal/signal.ts';
import type { EndpointHealthStore } from '../../core/subscription/ports.ts';
import type { Subscription } from '../../core/subscription/subscription.ts';

/** What SQS says of a record of `deliveries.fifo`. */
interface Received {
  readonly recordId: string;
  /** The ordering key that it is about. */
  readonly name: OrderingKeyName;
  /** Message group and text, as they came. */
  readonly group: string;
  readonly body: string;
  /** With this the record can be deleted. */
  readonly receipt: string;
  /** 1 for the first time. */
  readonly receiveCount: number;
  /** When it was received for the first time, in ms since 1970. @default - just now */
  readonly firstReceivedAtMs?: number;
  /** It must be set aside. */
  readonly killer?: Killer | undefined;
}

/** A record with a message to be sent for the first time. */
export interface Delivery extends Received {
  readonly message: Message;
}

/** A record with a signal to an ordering key. */
export interface Signalled extends Received {
  readonly signal: Signal;
}

export type Incoming = Delivery | Signalled;

/** A record of a newer format version, or one behind such a record in its group. */
export interface Deferred {
  readonly recordId: string;
  readonly group: string;
  /** 1 for the first time. */
  readonly receiveCount: number;
  /** Absent for a record that could be read, but has to wait for the one before it. */
  readonly version?: number;
}

/**
 * Why a record is dead-lettered. `unreadable`: neither message nor signal. `key_unreadable`: the item of its
 * ordering key cannot be read. `unstorable`: the store refuses what there is to be written of it; it may have
 * been posted. `kills_worker`: workers that handled nothing else died.
 */
export type RecordDeadLetterReason = 'unreadable' | 'key_unreadable' | 'unstorable' | 'kills_worker';

export interface DeadRecord {
  readonly record: Incoming;
  readonly reason: RecordDeadLetterReason;
  readonly explanation: string;
}

/**
 * `changeEndpointHealth` never rejects here: what cannot be written is dropped, and the answer is undefined.
 */
export interface DeliverPorts
  extends DeliveryReader,
    OrderingKeyStore,
    Pick<LeaseStore, 'endLease'>,
    Pick<MessageStore, 'save'>,
    Pick<EndpointHealthStore, 'changeEndpointHealth'>,
    Pick<EndpointCounts, 'countAnswers' | 'saySlow'> {
  /** One HTTP attempt. Never rejects; always answers within the deadline, or soon after it can look again. */
  post(request: {
    readonly url: string;
    readonly live: boolean;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly deadlineMs: number;
  }): Promise<AttemptResult>;
  /** Dead-letters records with the reason. Answers the ids of those that could not be. */
  deadLetter(deadRecords: readonly DeadRecord[]): Promise<ReadonlySet<string>>;
  /** Sends timers on their way. Never rejects: sweep finds what got none. */
  arm(armings: readonly Arming[]): Promise<void>;
  /** Sends signals to their ordering keys' groups. Never rejects: sweep finds what got none. */
  signal(signals: readonly Signal[]): Promise<void>;
  /**
   * Deletes records from the queue before the batch ends. Never rejects: what fails is redelivered, and is on
   * record.
   */
  acknowledge(records: readonly Incoming[]): Promise<void>;
  /** Returns records to the queue before the batch ends. Never rejects. */
  giveBack(records: readonly Incoming[]): Promise<void>;
  /** How long this process could not see any answer, summed while batches are under way. */
  blindMs(): number;
  readonly observer: DeliverObserver;
  now(): number;
  /** A random number from 0 to 1. */
  draw(): number;
  /** A new token for a commit. */
  token(): string;
  /** Resolves after that many ms. */
  after(ms: number): Promise<void>;
}

/** Writes logs and metrics. Never fails. */
export interface DeliverObserver {
  tried(tried: Tried): void;
  /** A message ended without an attempt, or waits: its record says why. */
  concluded(record: MessageRecord): void;
  /** An internal error that one group met. */
  internalError(error: unknown, group: readonly Incoming[]): void;
  deadLettered(deadRecord: DeadRecord): void;
  /** An ordering key waits for an operator. */
  orderingKeyStuck(key: BlockedKey): void;
  /** A message was recognised as a duplicate and not sent. */
  repeat(message: Message): void;
  /** A queued message whose record nobody knows was removed. */
  queuedMessageLost(queuedMessage: QueuedMessage): void;
  endpointHealthChanged(subscription: Subscription, before: EndpointHealth, after: EndpointHealth): void;
}

/** An attempt that was made. */
export interface Tried {
  readonly record: MessageRecord;
  readonly attempt: Attempt;
  readonly receiveCount: number;
}
