import type { PaymentEvent, UnusableEvent } from '../../core/event/event.ts';
import type { Message } from '../../core/message/message.ts';
import type { Route } from '../../core/subscription/subscription.ts';

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
 * Why an event was put aside. `too_large`: its resource exceeds what is delivered, or all of it what can be handled. `routes_unreadable`: the routing item of its service is there and cannot be read.
 * `unstorable`: the store does not take its resource.
 */
export type DeadLetterReason = UnusableEvent['kind'] | 'too_large' | 'routes_unreadable' | 'unstorable';

export interface DeadEvent {
  readonly intake: Intake;
  readonly reason: DeadLetterReason;
  readonly explanation: string;
}

export interface MatchPorts {
  /** Strongly consistent. A service that nobody knows is in none of the three. */
  routesOf(serviceIds: readonly string[]): Promise<{
    readonly routes: ReadonlyMap<string, readonly Route[]>;
    /** Services whose routing item is there and cannot be read, with one sentence that holds nothing that an outsider wrote unescaped. */
    readonly unreadable: ReadonlyMap<string, string>;
    /** Services whose routes could not be had now: too much at once, for the table or for one partition. */
    readonly untaken: ReadonlySet<string>;
  }>;
  /**
   * Keeps the resource of a large event, once for all its messages, and answers under which key. Idempotent per event. Rejects with a `RefusedError` when the store does not
   * take it for what it is.
   */
  keepResource(event: PaymentEvent, resource: string, admittedAtMs: number): Promise<string>;
  /** Sends at most ten messages, no two of one ordering key. Answers those that were not taken. Idempotent per message for five minutes. */
  send(messages: readonly Message[]): Promise<readonly Message[]>;
  /** Puts what cannot be used aside. Answers those that could not be. */
  deadLetter(deadRecords: readonly DeadEvent[]): Promise<readonly DeadEvent[]>;
  /** Tells of a fault of ours, and how many events it brings back; never fails. */
  internalError(error: unknown, events: number): void;
  /** Tells how the batch went; never fails. */
  observe(outcome: MatchOutcome): void;
}

export interface MatchOutcome {
  readonly matched: readonly { readonly event: PaymentEvent; readonly messageCount: number }[];
  readonly deadLettered: readonly DeadEvent[];
}
