import { hash } from 'node:crypto';
import { Heap } from '../../clock/heap.ts';
import type { VirtualClock } from '../../clock/virtual-clock.ts';
import {
  type Entry,
  insertByNumber,
  type Received,
  receiptOf,
  type Source,
  type Stored,
} from './queue-record.ts';
import { RememberedFor } from './remembered-for.ts';

/** SQS looks for free groups only among this many messages, from the oldest on. */
const LOOK_AHEAD = 120_000;

/** How long deduplication ids are remembered. */
const REMEMBERED_MS = 5 * 60_000;

/** With this many records in flight, nothing is received. */
const MAX_IN_FLIGHT = 120_000;

interface Options {
  readonly name: string;
  readonly visibilityMs: number;
  /** After this many receives, a record moves to the dead-letter queue. @default never */
  readonly maxReceiveCount?: number;
  readonly deadLetters?: FifoQueue;
}

interface Group {
  readonly name: string;
  /** The oldest first. Not empty while the group is among the free ones. */
  readonly waiting: Stored[];
  inFlight: number;
}

/**
 * A FIFO queue in high-throughput mode, as AWS documents it. It knows its free groups instead of looking for
 * them, so it serves thousands of records a second. Source: Amazon SQS Developer Guide, "FIFO queue delivery
 * logic", "Exactly-once processing", "Visibility timeout" and "Dead-letter queues".
 */
export class FifoQueue implements Source {
  readonly isFifo = true;
  /** The most records here at one time. */
  maxRecords = 0;
  /** The most records at one time that were not in flight. */
  maxWaiting = 0;
  readonly #clock: VirtualClock;
  readonly #options: Options;
  readonly #stored = new Map<string, Stored>();
  readonly #byReceipt = new Map<string, Stored>();
  readonly #groups = new Map<string, Group>();
  /** Groups with records of which none is in flight, the one with the oldest record first. */
  readonly #free = new Heap<Group>((one, other) => one.waiting[0]!.number < other.waiting[0]!.number);
  /** Deduplication ids, by group as in high-throughput mode. */
  readonly #seen: RememberedFor<true>;
  readonly #listeners: (() => void)[] = [];
  #inFlightCount = 0;
  #lastNumber = 0;

  constructor(clock: VirtualClock, options: Options) {
    this.#clock = clock;
    this.#options = options;
    this.#seen = new RememberedFor(REMEMBERED_MS, () => clock.now());
  }

  /** Calls whenever there may be something to receive. */
  onAvailable(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** @returns what SQS says of the record; undefined when it was dropped as a repeat */
  send(entry: Entry): Pick<Received, 'id' | 'sequenceNumber' | 'sentAtMs'> | undefined {
    // Without an id, the content is the id.
    const seenAs = `${entry.group} ${entry.deduplicationId ?? hash('sha256', entry.body)}`;
    if (this.#seen.get(seenAs)) {
      return undefined;
    }
    this.#seen.set(seenAs, true);
    const sentAtMs = Math.round(this.#clock.now());
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const sequenceNumber = String(number).padStart(20, '0');
    const id = `${this.#options.name}-${number}`;
    const stored: Stored = {
      ...entry,
      id,
      number,
      sequenceNumber,
      sentAtMs,
      receiveCount: 0,
      firstReceivedAtMs: 0,
      visibleAtMs: sentAtMs,
    };
    this.#stored.set(id, stored);
    const group = this.#groups.get(entry.group) ?? { name: entry.group, waiting: [], inFlight: 0 };
    this.#groups.set(group.name, group);
    group.waiting.push(stored);
    if (group.inFlight === 0 && group.waiting.length === 1) {
      this.#free.push(group);
    }
    this.maxRecords = Math.max(this.maxRecords, this.#stored.size);
    this.maxWaiting = Math.max(this.maxWaiting, this.#stored.size - this.#inFlightCount);
    this.#announce();
    return { id, sequenceNumber, sentAtMs };
  }

  /** @returns the entries that `refuses` named: part of a batch may fail */
  sendBatch<E extends Entry>(entries: readonly E[], refuses: (entry: E) => boolean): E[] {
    return entries.filter((entry) => {
      const refused = refuses(entry);
      if (!refused) {
        this.send(entry);
      }
      return refused;
    });
  }

  get hasAvailable(): boolean {
    return this.#free.size > 0;
  }

  /**
   * Up to `max` records of free groups, the oldest first.
   *
   * @param passesOver groups that this receive happens not to see, as SQS's do when they ask only some of its
   * servers
   */
  receive(max: number, passesOver: (group: string) => boolean = () => false): Received[] {
    const lastNumber = this.#lastLookedAt();
    const received: Received[] = [];
    const open: Group[] = [];
    const passed: Group[] = [];
    while (received.length < max && this.#inFlightCount < MAX_IN_FLIGHT) {
      const group = this.#nextOf(open);
      if (group === undefined || group.waiting[0]!.number > lastNumber) {
        break;
      }
      if (!open.includes(group)) {
        this.#free.pop();
        if (passesOver(group.name)) {
          passed.push(group);
          continue;
        }
        open.push(group);
      }
      this.#take(group, received);
    }
    for (const group of [...open, ...passed]) {
      this.#settle(group);
    }
    return received;
  }

  /** The group with the oldest record: one that this receive has begun to take, or the first that is free. */
  #nextOf(open: readonly Group[]): Group | undefined {
    let next = this.#free.first;
    for (const group of open) {
      const first = group.waiting[0];
      if (first !== undefined && (next === undefined || first.number < next.waiting[0]!.number)) {
        next = group;
      }
    }
    return next;
  }

  /** The number of the last record among which SQS looks. */
  #lastLookedAt(): number {
    if (this.#stored.size <= LOOK_AHEAD) {
      return this.#lastNumber;
    }
    let looked = 0;
    for (const { number } of this.#stored.values()) {
      looked += 1;
      if (looked === LOOK_AHEAD) {
        return number;
      }
    }
    return this.#lastNumber;
  }

  #take(group: Group, received: Received[]): void {
    const { maxReceiveCount = Number.POSITIVE_INFINITY, deadLetters, visibilityMs } = this.#options;
    const stored = group.waiting.shift()!;
    this.#byReceipt.delete(receiptOf(stored));
    if (stored.receiveCount >= maxReceiveCount) {
      this.#stored.delete(stored.id);
      const { body, group: name, attributes = {} } = stored;
      deadLetters?.send({ body, group: name, attributes, deduplicationId: stored.id });
      return;
    }
    stored.receiveCount += 1;
    stored.firstReceivedAtMs ||= Math.round(this.#clock.now());
    const receipt = receiptOf(stored);
    this.#byReceipt.set(receipt, stored);
    group.inFlight += 1;
    this.#inFlightCount += 1;
    this.#hideFor(stored, visibilityMs);
    received.push({ ...stored, receipt });
  }

  holds(receipt: string): boolean {
    return this.#byReceipt.has(receipt);
  }

  /**
   * @returns false when the record was received again, its visibility has ended or it is gone: then nothing
   * happens
   */
  delete(receipt: string): boolean {
    const stored = this.#inFlight(receipt);
    if (stored === undefined) {
      return false;
    }
    this.#stored.delete(stored.id);
    this.#byReceipt.delete(receipt);
    this.#clock.cancel(stored.alarm);
    this.#land(stored);
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
    this.#clock.cancel(stored.alarm);
    stored.visibleAtMs = this.#clock.now() + ms;
    if (ms <= 0) {
      this.#comeBack(stored);
    }
    stored.alarm = this.#clock.at(stored.visibleAtMs, () => {
      if (ms > 0) {
        this.#comeBack(stored);
      }
      this.#announce();
    });
  }

  #comeBack(stored: Stored): void {
    insertByNumber(this.#groups.get(stored.group)!.waiting, stored);
    this.#land(stored);
    this.maxWaiting = Math.max(this.maxWaiting, this.#stored.size - this.#inFlightCount);
  }

  /** It is no longer in flight. */
  #land(stored: Stored): void {
    const group = this.#groups.get(stored.group)!;
    group.inFlight -= 1;
    this.#inFlightCount -= 1;
    this.#settle(group);
  }

  /** Whether it is free, now that none of its records is in flight. */
  #settle(group: Group): void {
    if (group.inFlight > 0) {
      return;
    }
    if (group.waiting.length > 0) {
      this.#free.push(group);
    } else {
      this.#groups.delete(group.name);
    }
  }

  #announce(): void {
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
