import type { PaymentName } from '../sequence/payment-sequence.ts';
import type { StuckPayments } from './stuck-payments.ts';

/** An event that waits for an operator: a record of `events.fifo` as it came. */
export interface StuckEvent extends PaymentName {
  readonly record_id: string;
  readonly group: string;
  readonly body: string;
  readonly order_number: string;
  readonly admitted_at_ms: number;
}

/** A payment whose events wait for an operator. */
export interface StuckPayment extends PaymentName {
  readonly since: string;
  /** The message group of its first event: a signal joins it. */
  readonly group: string;
  /** Why its first event fails; nothing an outsider wrote stands in it unescaped. */
  readonly explanation: string;
}

/** What a service's stuck payments were when they were read, and what they become. */
export interface StuckChange {
  readonly known: StuckPayments;
  readonly next: StuckPayments;
}

export interface StuckStore {
  /**
   * Stores an event of a payment behind those that wait already, or makes it `stuck` with its first, if it
   * has one in hand. All or nothing.
   *
   * @returns false, with nothing written, when the stuck payments of the service are not as known
   */
  setAside(
    payment: PaymentName,
    event: StuckEvent | undefined,
    change: StuckChange,
    stuck?: StuckPayment,
  ): Promise<boolean>;
  /** The first events of a payment, in the order of the queue. Strongly consistent. */
  stuckEvents(payment: PaymentName, max: number): Promise<readonly StuckEvent[]>;
  /** Removes events that were sent. Never rejects: what stays is sent again, and recognised. */
  dropStuck(events: readonly StuckEvent[]): Promise<void>;
  /**
   * The payment is stuck no more.
   *
   * @returns false, with nothing written, when the stuck payments of the service are not as known: perhaps
   * another event was set aside
   */
  free(payment: PaymentName, change: StuckChange): Promise<boolean>;
}
