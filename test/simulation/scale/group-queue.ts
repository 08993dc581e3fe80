import type { VirtualClock } from '../virtual-clock.ts';

/** With more records than this SQS does not look at all of them for free groups, and with so many in flight it hands out none. */
const MAX_RECORDS = 120_000;

export interface SentRecord {
  readonly id: string;
  readonly group: string;
  readonly body: string;
  readonly sentAtMs: number;
  readonly sequenceNumber: string;
  receiveCount: number;
  takenAtMs: number;
  isDeleted: boolean;
}

/** What Lambda's mapping needs of a queue. */
export interface Feed {
  readonly name: string;
  readonly isFifo: boolean;
  onAvailable: () => void;
  readonly hasAvailable: boolean;
  receive(max: number): SentRecord[];
  delete(id: string): void;
  /** Gives a record back that was not done, when its visibility ends. */
  leave(record: SentRecord): void;
}

interface Group {
  readonly name: string;
  readonly waiting: SentRecord[];
  inFlight: number;
}

/**
 * A FIFO queue as `FifoQueue`, for thousands of records a second: it knows the free groups, and does not look for them. It removes no repeats, since none are sent
 * here, and refuses to hold more than SQS looks through.
 */
export class GroupQueue implements Feed {
  readonly name: string;
  readonly isFifo = true;
  onAvailable: () => void = () => {};
  /** The most records at one time that nobody had received yet, and that somebody had. */
  maxWaiting = 0;
  maxInFlight = 0;
  waiting = 0;
  readonly #clock: VirtualClock;
  readonly #visibilityMs: number;
  readonly #groups = new Map<string, Group>();
  /** Groups of which nothing is in flight and something waits, the one that has been free longest first. */
  readonly #free = new Set<Group>();
  readonly #inFlight = new Map<string, SentRecord>();
  #lastNumber = 0;

  constructor(name: string, clock: VirtualClock, visibilityMs: number) {
    this.name = name;
    this.#clock = clock;
    this.#visibilityMs = visibilityMs;
  }

  send(group: string, body: string): void {
    this.#lastNumber += 1;
    const of = this.#groups.get(group) ?? { name: group, waiting: [], inFlight: 0 };
    this.#groups.set(group, of);
    of.waiting.push({
      id: `${this.name}-${this.#lastNumber}`,
      group,
      body,
      sentAtMs: this.#clock.now(),
      sequenceNumber: String(this.#lastNumber).padStart(20, '0'),
      receiveCount: 0,
      takenAtMs: 0,
      isDeleted: false,
    });
    this.waiting += 1;
    this.maxWaiting = Math.max(this.maxWaiting, this.waiting);
    if (this.waiting + this.#inFlight.size > MAX_RECORDS) {
      throw new Error(`${this.name} holds more than ${MAX_RECORDS} records, which is not simulated`);
    }
    this.#announce(of);
  }

  get hasAvailable(): boolean {
    return this.#free.size > 0;
  }

  receive(max: number): SentRecord[] {
    const received: SentRecord[] = [];
    for (const group of this.#free) {
      const some = group.waiting.splice(0, max - received.length);
      this.#free.delete(group);
      group.inFlight += some.length;
      for (const record of some) {
        record.receiveCount += 1;
        record.takenAtMs = this.#clock.now();
        this.#inFlight.set(record.id, record);
        received.push(record);
      }
      if (received.length === max) {
        break;
      }
    }
    this.waiting -= received.length;
    this.maxInFlight = Math.max(this.maxInFlight, this.#inFlight.size);
    return received;
  }

  delete(id: string): void {
    const record = this.#inFlight.get(id);
    if (record === undefined) {
      return;
    }
    if (this.#clock.now() - record.takenAtMs > this.#visibilityMs) {
      throw new Error(`${id} was kept longer than its visibility, which is not simulated`);
    }
    record.isDeleted = true;
    this.#settle(record);
  }

  leave(record: SentRecord): void {
    if (!record.isDeleted) {
      this.#clock.at(record.takenAtMs + this.#visibilityMs, () => {
        const { waiting } = this.#groups.get(record.group)!;
        waiting.unshift(record);
        waiting.sort((one, other) => (one.sequenceNumber < other.sequenceNumber ? -1 : 1));
        this.waiting += 1;
        this.#settle(record);
      });
    }
  }

  #settle({ id, group }: SentRecord): void {
    this.#inFlight.delete(id);
    const of = this.#groups.get(group)!;
    of.inFlight -= 1;
    this.#announce(of);
  }

  #announce(group: Group): void {
    if (group.inFlight > 0) {
      return;
    }
    if (group.waiting.length === 0) {
      this.#groups.delete(group.name);
      return;
    }
    this.#free.add(group);
    this.onAvailable();
  }
}
