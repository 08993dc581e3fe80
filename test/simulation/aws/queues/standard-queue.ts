import type { Dice } from '../../../support/dice.ts';
import type { VirtualClock } from '../../clock/virtual-clock.ts';
import { insertByNumber, type Received, receiptOf, type Source, type Stored } from './queue-record.ts';

/** Source: SendMessage, Amazon SQS API Reference. */
const LONGEST_DELAY_SECONDS = 900;

/** What the sender does not notice: the record is late, doubled or lost. */
export interface Mishap {
  readonly lateByMs?: number;
  readonly isDoubled?: boolean;
  readonly isLost?: boolean;
}

interface Options {
  readonly name: string;
  readonly visibilityMs: number;
  readonly maxReceiveCount: number;
  readonly dice: Dice;
}

/**
 * A standard queue with a delay for each record: no order, and each at least once. Source: Amazon SQS
 * Developer Guide, "Amazon SQS standard queues" and "Message timers".
 */
export class StandardQueue implements Source {
  readonly isFifo = false;
  /** The most records at one time that could be received, and were not yet. */
  maxWaiting = 0;
  /** The most records at one time that could not be received yet. */
  maxDelayed = 0;
  readonly #clock: VirtualClock;
  readonly #options: Options;
  readonly #stored = new Map<string, Stored>();
  readonly #byReceipt = new Map<string, Stored>();
  /** Those that can be received, in the order in which they were sent. */
  readonly #available: Stored[] = [];
  readonly #listeners: (() => void)[] = [];
  #lastNumber = 0;

  constructor(clock: VirtualClock, options: Options) {
    this.#clock = clock;
    this.#options = options;
  }

  onAvailable(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** @throws RangeError as SQS refuses a delay that is out of range */
  send(body: string, delaySeconds: number, { lateByMs = 0, isDoubled, isLost }: Mishap = {}): void {
    if (!Number.isInteger(delaySeconds) || delaySeconds < 0 || delaySeconds > LONGEST_DELAY_SECONDS) {
      throw new RangeError(`DelaySeconds: ${delaySeconds}, of 0 to ${LONGEST_DELAY_SECONDS}`);
    }
    for (let copies = isLost ? 0 : isDoubled ? 2 : 1; copies > 0; copies -= 1) {
      this.#lastNumber += 1;
      const id = `${this.#options.name}-${this.#lastNumber}`;
      const sentAtMs = Math.round(this.#clock.now());
      const stored: Stored = {
        body,
        group: '',
        id,
        number: this.#lastNumber,
        sequenceNumber: '',
        sentAtMs,
        receiveCount: 0,
        firstReceivedAtMs: 0,
        visibleAtMs: sentAtMs,
      };
      this.#stored.set(id, stored);
      this.#hideFor(stored, delaySeconds * 1_000 + lateByMs);
    }
  }

  get hasAvailable(): boolean {
    return this.#available.length > 0;
  }

  /** Records in random order. */
  receive(max: number): Received[] {
    const received: Received[] = [];
    const { dice } = this.#options;
    for (let left = this.#available.length; left > 0 && received.length < max; left -= 1) {
      const [stored] = this.#available.splice(dice.whole(0, this.#available.length - 1), 1);
      this.#take(stored!, received);
    }
    return received;
  }

  #take(stored: Stored, received: Received[]): void {
    this.#byReceipt.delete(receiptOf(stored));
    if (stored.receiveCount >= this.#options.maxReceiveCount) {
      this.#stored.delete(stored.id);
      return;
    }
    stored.receiveCount += 1;
    stored.firstReceivedAtMs ||= Math.round(this.#clock.now());
    const receipt = receiptOf(stored);
    this.#byReceipt.set(receipt, stored);
    this.#hideFor(stored, this.#options.visibilityMs);
    received.push({ ...stored, receipt });
  }

  holds(receipt: string): boolean {
    return this.#byReceipt.has(receipt);
  }

  delete(receipt: string): boolean {
    const stored = this.#byReceipt.get(receipt);
    if (stored === undefined) {
      return false;
    }
    this.#stored.delete(stored.id);
    this.#byReceipt.delete(receipt);
    this.#withdraw(stored);
    return true;
  }

  /** @returns false when the receipt is no longer valid */
  changeVisibility(receipt: string, ms: number): boolean {
    const stored = this.#byReceipt.get(receipt);
    if (stored === undefined) {
      return false;
    }
    this.#withdraw(stored);
    this.#hideFor(stored, ms);
    return true;
  }

  get records(): readonly { readonly body: string; readonly visibleAtMs: number }[] {
    return [...this.#stored.values()];
  }

  /** Nobody receives it any more, now or later. */
  #withdraw(stored: Stored): void {
    this.#clock.cancel(stored.alarm);
    const index = this.#available.indexOf(stored);
    if (index >= 0) {
      this.#available.splice(index, 1);
    }
  }

  #hideFor(stored: Stored, ms: number): void {
    stored.visibleAtMs = this.#clock.now() + ms;
    if (ms <= 0) {
      this.#show(stored);
    }
    this.maxDelayed = Math.max(this.maxDelayed, this.#stored.size - this.#available.length);
    stored.alarm = this.#clock.at(stored.visibleAtMs, () => {
      if (ms > 0) {
        this.#show(stored);
      }
      for (const listener of this.#listeners) {
        listener();
      }
    });
  }

  #show(stored: Stored): void {
    insertByNumber(this.#available, stored);
    this.maxWaiting = Math.max(this.maxWaiting, this.#available.length);
  }
}
