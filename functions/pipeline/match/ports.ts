import type { DeliveryPolicy } from '../../core/attempt/delivery-policy.ts';
import type { Catalogue } from '../../core/catalogue/catalogue.ts';
import type { SchemaChecks } from '../../core/catalogue/schema-check.ts';
import type { PaymentEvent, UnusableEvent } from '../../core/event/event.ts';
import type { Message } from '../../core/message/message.ts';
import type { MessageStore } from '../../core/message/ports.ts';
import type { SequenceStore } from '../../core/sequence/ports.ts';
import type { Step } from '../../core/sequence/steps.ts';
import type { Signals } from '../../core/signal/ports.ts';
import type { StuckPayment, StuckStore } from '../../core/stuck/ports.ts';
import type { Subscriptions } from '../../core/subscription/ports.ts';

/** A record of `events.fifo`: the detail of one bus event as text, and what SQS says of it. */
export interface Intake {
  readonly recordId: string;
  readonly group: string;
  readonly body: string;
  /** When `events.fifo` took it, in ms since 1970. */
  readonly admittedAtMs: number;
  readonly orderNumber: string;
  /** 1 for the first time. */
  readonly receiveCount: number;
}

/**
 * Why an event is dead-lettered. `too_large`: its resource is larger than what is delivered, or all of it
 * than what can be handled. `routes_unreadable`: the routing item of its service cannot be read.
 * `unstorable`: the store refuses its resource. `sequence_unreadable`: how far its payment is, or an
 * event of it that waits, cannot be read. `kills_worker`: workers that handled nothing else died. `skipped`:
 * it was stuck, and an operator gave it up.
 */
export type DeadLetterReason =
  | UnusableEvent['kind']
  | 'too_large'
  | 'routes_unreadable'
  | 'unstorable'
  | 'sequence_unreadable'
  | 'kills_worker'
  | 'skipped';

export interface DeadEvent {
  readonly intake: Intake;
  readonly reason: DeadLetterReason;
  readonly explanation: string;
}

export type MatchPolicy = Pick<
  DeliveryPolicy,
  'sequenceGapMs' | 'longestTimerMs' | 'graceMs' | 'armedAheadMs' | 'totalAgeMs'
> & {
  /** Publishers may send straight into `events.fifo`, too: a payment may come by several groups. */
  readonly hasQueueDoor?: boolean;
};

export interface MatchPorts
  extends Pick<Subscriptions, 'routesOf'>,
    Pick<MessageStore, 'keepResource'>,
    SequenceStore,
    StuckStore,
    Pick<Signals, 'arm'> {
  readonly catalogue: Catalogue;
  /** Absent: no resource is checked. */
  readonly schemas?: SchemaChecks | undefined;
  /**
   * Sends at most ten messages, no two of one ordering key. Answers those that were not taken. Idempotent per
   * message for five minutes.
   */
  send(messages: readonly Message[]): Promise<readonly Message[]>;
  /**
   * Sends records on to another group of `events.fifo`. Rejects when one was not taken. Idempotent per record
   * for five minutes.
   */
  forward(intakes: readonly Intake[], group: string): Promise<void>;
  /** Dead-letters events. Answers those that could not be. */
  deadLetter(deadRecords: readonly DeadEvent[]): Promise<readonly DeadEvent[]>;
  /** Reports an internal error, and how many events it brings back. Never fails. */
  internalError(error: unknown, events: number): void;
  /** Reports how the batch went. Never fails. */
  observe(outcome: MatchOutcome): void;
  now(): number;
}

/** What became of a numbered event. */
export interface Sequenced {
  readonly event: PaymentEvent;
  readonly step: Step;
}

export interface MatchOutcome {
  readonly matched: readonly { readonly event: PaymentEvent; readonly messageCount: number }[];
  readonly deadLettered: readonly DeadEvent[];
  readonly sequenced: readonly Sequenced[];
  /** Payments that wait for an operator from now on. */
  readonly stuck: readonly StuckPayment[];
  /** Events that wait with them, or behind those that do. */
  readonly setAside: readonly PaymentEvent[];
}
