import type { Dice } from '../../../load/statistics/dice.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import { type Received, receiptOf, type Source, type Stored } from './queue-record.ts';

/** Source: SendMessage, Amazon SQS API Reference. */
const LONGEST_DELAY_SECONDS = 900;

/** What the sender does not notice: `late` by so many ms, `doubled` by its side, or `lost`. */
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
 * A standard queue with a delay for each record: no order, and each at least once. Source: Amazon SQS Developer Guide, "Amazon SQS standard queues"
 * and "Message timers".
 */
export class StandardQueue implements Source {
  /** The most records that could be received at one time, and were not yet. */
  deepest = 0;
  readonly #clock: VirtualClock;
  readonly #options: Options;
  readonly #stored = new Map<string, Stored>();
  readonly #byReceipt = new Map<string, Stored>();
  readonly #listeners: (() => void)[] = [];
  #lastNumber = 0;

  constructor(clock: VirtualClock, options: Options) {
    this.#clock = clock;
    this.#options = options;
  }

  onAvailable(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** @throws RangeError as SQS refuses a delay that it does not know */
  send(body: string, delaySeconds: number, { lateByMs = 0, isDoubled, isLost }: Mishap = {}): void {
    if (!Number.isInteger(delaySeconds) || delaySeconds < 0 || delaySeconds > LONGEST_DELAY_SECONDS) {
      throw new RangeError(`DelaySeconds: ${delaySeconds}, of 0 to ${LONGEST_DELAY_SECONDS}`);
    }
    for (let copies = isLost ? 0 : isDoubled ? 2 : 1; copies > 0; copies -= 1) {
      this.#lastNumber += 1;
      const id = `${this.#options.name}-${this.#lastNumber}`;
      const sentAtMs = this.#clock.now();
      const stored: Stored = {
        body,
        group: '',
        id,
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

  receive(max: number): Received[] {
    const nowMs = this.#clock.now();
    const available = [...this.#stored.values()].filter(({ visibleAtMs }) => visibleAtMs <= nowMs);
    this.deepest = Math.max(this.deepest, available.length);
    const received: Received[] = [];
    // In no order.
    while (available.length > 0 && received.length < max) {
      const [stored] = available.splice(this.#options.dice.whole(0, available.length - 1), 1);
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
    stored.firstReceivedAtMs ||= this.#clock.now();
    this.#byReceipt.set(receiptOf(stored), stored);
    this.#hideFor(stored, this.#options.visibilityMs);
    received.push({ ...stored, receipt: receiptOf(stored) });
  }

  delete(receipt: string): boolean {
    const stored = this.#byReceipt.get(receipt);
    if (stored === undefined) {
      return false;
    }
    this.#stored.delete(stored.id);
    this.#byReceipt.delete(receipt);
    if (stored.alarm !== undefined) {
      stored.alarm.act = undefined;
    }
    return true;
  }

  /** @returns false when the receipt is worth nothing any more */
  changeVisibility(receipt: string, ms: number): boolean {
    const stored = this.#byReceipt.get(receipt);
    if (stored === undefined) {
      return false;
    }
    if (stored.alarm !== undefined) {
      stored.alarm.act = undefined;
    }
    this.#hideFor(stored, ms);
    return true;
  }

  get records(): readonly { readonly body: string; readonly visibleAtMs: number }[] {
    return [...this.#stored.values()];
  }

  #hideFor(stored: Stored, ms: number): void {
    stored.visibleAtMs = this.#clock.now() + ms;
    stored.alarm = this.#clock.at(stored.visibleAtMs, () => {
      for (const listener of this.#listeners) {
        listener();
      }
    });
  }
}
