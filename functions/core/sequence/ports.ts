import type { NumberedEvent } from '../event/event.ts';
import type { GapSignal } from '../signal/gap-signal.ts';
import type { EarlyEvent, PaymentName, PaymentSequence, SequenceProgress } from './payment-sequence.ts';

/** An event that waits for its turn, with what is needed to send its messages. */
export interface HeldEvent {
  /** Its `resource` is empty. */
  readonly event: NumberedEvent;
  /** JSON text of the resource; absent when it is large, and stored in the history. */
  readonly resource?: string;
  /** The same of a large one: filters and `fields` need it. Absent: an earlier release held the event. */
  readonly text?: string;
  /** When `events.fifo` took it, in ms since 1970. */
  readonly arrivedAtMs: number;
}

/** A payment and one of its events that waits. */
export type HeldName = PaymentName & Pick<EarlyEvent, 'sequence' | 'event_id'>;

/** What a payment of which something waits is to be asked, and when. Instants are ISO 8601. */
export interface Gap {
  readonly timer: GapSignal;
  /** When the first of what waits is not held any longer. */
  readonly due_at: string;
  /** When sweep looks whether it still waits. */
  readonly check_at: string;
}

export interface SequenceStore {
  /**
   * How far payments are, by `paymentKey`: absent without numbered events so far, an error when it is stored
   * and cannot be read. Strongly consistent.
   */
  sequencesOf(payments: readonly PaymentName[]): Promise<ReadonlyMap<string, PaymentSequence | Error>>;
  /**
   * Writes how far a payment is, with the next revision. `gap` is absent while nothing waits.
   *
   * @returns what is written; undefined when the payment is not as `known` any more (undefined: absent)
   */
  advance(
    known: PaymentSequence | undefined,
    next: PaymentSequence,
    gap: Gap | undefined,
  ): Promise<PaymentSequence | undefined>;
  /** Stores an event that is early; idempotent. Rejects with a `RefusedError` when the store refuses it. */
  hold(held: HeldEvent): Promise<void>;
  /**
   * The events that wait by these names, in this order; undefined for one that is not there any more, an
   * error for one that is and cannot be read.
   */
  held(names: readonly HeldName[]): Promise<readonly (HeldEvent | Error | undefined)[]>;
  /** Removes events that were admitted. Never rejects: what stays is removed by its age. */
  drop(names: readonly HeldName[]): Promise<void>;
}

/**
 * How far a payment is, for people: nothing of its events but their names. Undefined without numbered events.
 * May lag a moment.
 */
export type ReadProgress = (payment: PaymentName) => Promise<SequenceProgress | undefined>;

export interface GapSignals {
  /** Sends signals to `events.fifo`, each with a deduplication id of its own; answers those not taken. */
  signalGaps(signals: readonly GapSignal[]): Promise<readonly GapSignal[]>;
}
