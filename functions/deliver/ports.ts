import type { Attempt, WireResult } from '../core/attempt.ts';
import type { MessageRecord } from '../core/history.ts';
import type { Message } from '../core/message.ts';
import type { Subscription } from '../core/subscription.ts';

/** A record of `deliveries.fifo` that holds a message. */
export interface Delivery {
  readonly recordId: string;
  /** With this SQS lets the record be deleted or returned. */
  readonly receipt: string;
  /** 1 for the first time. */
  readonly receiveCount: number;
  readonly message: Message;
}

/** What a batch needs to know before it starts. */
export interface Wanted {
  readonly subscriptions: readonly { readonly service_id: string; readonly subscription_id: string }[];
  /** Messages that may have been sent before. */
  readonly messageIds: readonly string[];
  /** `resourceKey` of events whose resource did not travel. */
  readonly resourceKeys: readonly string[];
}

export interface Found {
  readonly subscriptions: ReadonlyMap<string, Subscription>;
  /** Active secrets by subscription, the newest first. */
  readonly secrets: ReadonlyMap<string, readonly string[]>;
  readonly records: ReadonlyMap<string, MessageRecord>;
  /** JSON texts by `resourceKey` of the event. */
  readonly resources: ReadonlyMap<string, string>;
  /** What is there but cannot be read, by id of the subscription or message: the fault of those alone, not of the batch. */
  readonly faults: ReadonlyMap<string, Error>;
}

/** What has to be written about a message: its record, and beside it a try that was not the first. */
export interface Outcome {
  readonly record: MessageRecord;
  readonly laterAttempt?: Attempt;
}

export interface DeliverPorts {
  /** One call, strongly consistent but for secrets, which may be a minute old. What does not exist is left out. */
  lookUp(wanted: Wanted): Promise<Found>;
  /** One HTTP try. Never rejects; always answers within the deadline. */
  post(request: {
    readonly url: string;
    readonly live: boolean;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly deadlineMs: number;
  }): Promise<WireResult>;
  /** Writes outcomes, each over what was there. Rejects when not all of them are written. */
  save(outcomes: readonly Outcome[]): Promise<void>;
  /** Deletes records from the queue before the batch ends. Never rejects: what fails comes again, and the history knows it. */
  acknowledge(deliveries: readonly Delivery[]): Promise<void>;
  /** Has records come again in five seconds, together, so that their order stays. Never rejects: what fails comes again later. */
  returnSoon(deliveries: readonly Delivery[]): Promise<void>;
  /** One line and the metrics for a try; never fails. */
  observe(tried: Tried): void;
  /** For a fault of ours that one group met; never fails. */
  observeFault(error: unknown, group: readonly Delivery[]): void;
  /** A message was recognised as a repeat and not sent; never fails. */
  observeRepeat(message: Message): void;
  now(): number;
  /** Resolves after so many ms. */
  after(ms: number): Promise<void>;
}

export interface Tried {
  readonly message: Message;
  readonly attempt: Attempt;
  readonly record: MessageRecord;
  readonly receiveCount: number;
}
