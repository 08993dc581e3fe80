import type { VirtualClock } from '../virtual-clock.ts';
import { Deduplication } from './deduplication.ts';
import { type Entry, type Received, receiptOf, type Source, type Stored } from './queue-record.ts';

/** Only among so many messages, from the oldest on, does SQS look for free groups. */
const LOOK_AHEAD = 120_000;

/** So many records may be in flight: with more, nothing is received. */
const MAX_IN_FLIGHT = 120_000;

interface Options {
  readonly name: string;
  readonly visibilityMs: number;
  /** Received so often, a record goes to the dead letters instead of being received again. @default never */
  readonly maxReceiveCount?: number;
  readonly deadLetters?: FifoQueue;
}

/**
 * A FIFO queue in high-throughput mode as AWS documents it. Source: Amazon SQS Developer Guide, "FIFO queue delivery logic", "Exactly-once
 * processing", "Visibility timeout" and "Dead-letter queues".
 */
export class FifoQueue implements Source {
  /** The most records that have waited here at one time. */
  deepest = 0;
  readonly #clock: VirtualClock;
  readonly #options: Options;
  readonly #stored = new Map<string, Stored>();
  readonly #byReceipt = new Map<string, Stored>();
  readonly #deduplication: Deduplication;
  readonly #listeners: (() => void)[] = [];
  #lastNumber = 0;

  constructor(clock: VirtualClock, options: Options) {
    this.#clock = clock;
    this.#options = options;
    this.#deduplication = new Deduplication(clock);
  }

  /** Calls whenever there may be something to receive. */
  onAvailable(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** @returns what SQS says of the record; undefined when it was swallowed as a repeat */
  send(entry: Entry): Pick<Received, 'id' | 'sequenceNumber' | 'sentAtMs'> | undefined {
    if (this.#deduplication.isRepeat(entry)) {
      return undefined;
    }
    const nowMs = this.#clock.now();
    this.#lastNumber += 1;
    const sequenceNumber = String(this.#lastNumber).padStart(20, '0');
    const id = `${this.#options.name}-${this.#lastNumber}`;
    const stored: Stored = {
      ...entry,
      id,
      sequenceNumber,
      sentAtMs: nowMs,
      receiveCount: 0,
      firstReceivedAtMs: 0,
      visibleAtMs: nowMs,
    };
    this.#stored.set(id, stored);
    this.deepest = Math.max(this.deepest, this.#stored.size);
    this.#announce();
    return { id, sequenceNumber, sentAtMs: nowMs };
  }

  /** @returns the entries that `refuses` named: a batch may fail in part. */
  sendBatch<E extends Entry>(entries: readonly E[], refuses: (entry: E) => boolean): E[] {
    return entries.filter((entry) => {
      const refused = refuses(entry);
      if (!refused) {
        this.send(entry);
      }
      return refused;
    });
  }

  /**
   * Up to `most` records of free groups, each group's from its oldest on.
   *
   * @param passesOver groups that this reception happens not to see, as SQS's do when they ask a part of its servers
   */
  receive(max: number, passesOver: (group: string) => boolean = () => false): Received[] {
    const isOpen = new Map<string, boolean>();
    let inFlight = 0;
    for (const { group, visibleAtMs } of this.#stored.values()) {
      if (visibleAtMs > this.#clock.now()) {
        isOpen.set(group, false);
        inFlight += 1;
      }
    }
    const received: Received[] = [];
    let looked = 0;
    for (const stored of this.#stored.values()) {
      looked += 1;
      if (received.length === max || looked > LOOK_AHEAD || inFlight + received.length >= MAX_IN_FLIGHT) {
        break;
      }
      const open = isOpen.get(stored.group) ?? !passesOver(stored.group);
      isOpen.set(stored.group, open);
      if (open) {
        this.#take(stored, received);
      }
    }
    return received;
  }

  #take(stored: Stored, received: Received[]): void {
    const { maxReceiveCount = Number.POSITIVE_INFINITY, deadLetters, visibilityMs } = this.#options;
    if (stored.receiveCount >= maxReceiveCount) {
      this.#stored.delete(stored.id);
      const { body, group, attributes = {} } = stored;
      deadLetters?.send({ body, group, attributes, deduplicationId: stored.id });
      return;
    }
    this.#byReceipt.delete(receiptOf(stored));
    stored.receiveCount += 1;
    stored.firstReceivedAtMs ||= this.#clock.now();
    this.#byReceipt.set(receiptOf(stored), stored);
    this.#hideFor(stored, visibilityMs);
    received.push({ ...stored, receipt: receiptOf(stored) });
  }

  /** @returns false when the record has been received again since, its visibility has ended or it is gone: then nothing happens */
  delete(receipt: string): boolean {
    const stored = this.#inFlight(receipt);
    if (stored === undefined) {
      return false;
    }
    this.#stored.delete(stored.id);
    this.#byReceipt.delete(receipt);
    this.#silence(stored);
    this.#announce();
    return true;
  }

  /** @returns false as `delete` does */
  changeVisibility(receipt: string, ms: number): boolean {
    const stored = this.#inFlight(receipt);
    if (stored === undefined) {
      return false;
    }
    this.#hideFor(stored, ms);
    return true;
  }

  get records(): readonly Entry[] {
    return [...this.#stored.values()];
  }

  get isEmpty(): boolean {
    return this.#stored.size === 0;
  }

  #inFlight(receipt: string): Stored | undefined {
    const stored = this.#byReceipt.get(receipt);
    return stored !== undefined && stored.visibleAtMs > this.#clock.now() ? stored : undefined;
  }

  #hideFor(stored: Stored, ms: number): void {
    this.#silence(stored);
    stored.visibleAtMs = this.#clock.now() + ms;
    stored.alarm = this.#clock.at(stored.visibleAtMs, () => this.#announce());
  }

  #silence({ alarm }: Stored): void {
    if (alarm !== undefined) {
      alarm.act = undefined;
    }
  }

  #announce(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
