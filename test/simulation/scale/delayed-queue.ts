import type { VirtualClock } from '../virtual-clock.ts';
import type { Feed, SentRecord } from './group-queue.ts';

/** A standard queue with a delay for each record, as `StandardQueue`, for thousands of records: each is looked at when its time has come, and not before. */
export class DelayedQueue implements Feed {
  readonly name: string;
  readonly isFifo = false;
  onAvailable: () => void = () => {};
  /** The most records at one time that were due, and not received yet. */
  maxWaiting = 0;
  /** The most records at one time whose time had not come. */
  maxDelayed = 0;
  readonly #clock: VirtualClock;
  readonly #visibilityMs: number;
  readonly #due: SentRecord[] = [];
  #delayed = 0;
  #lastNumber = 0;

  constructor(name: string, clock: VirtualClock, visibilityMs: number) {
    this.name = name;
    this.#clock = clock;
    this.#visibilityMs = visibilityMs;
  }

  send(body: string, delaySeconds: number): void {
    this.#lastNumber += 1;
    const record: SentRecord = {
      id: `${this.name}-${this.#lastNumber}`,
      group: '',
      body,
      sentAtMs: this.#clock.now(),
      sequenceNumber: '',
      receiveCount: 0,
      takenAtMs: 0,
      isDeleted: false,
    };
    this.#wait(record, delaySeconds * 1_000);
  }

  get hasAvailable(): boolean {
    return this.#due.length > 0;
  }

  receive(max: number): SentRecord[] {
    const received = this.#due.splice(0, max);
    for (const record of received) {
      record.receiveCount += 1;
      record.takenAtMs = this.#clock.now();
    }
    return received;
  }

  delete(): void {}

  leave(record: SentRecord): void {
    this.#wait(record, record.takenAtMs + this.#visibilityMs - this.#clock.now());
  }

  #wait(record: SentRecord, ms: number): void {
    this.#delayed += 1;
    this.maxDelayed = Math.max(this.maxDelayed, this.#delayed);
    this.#clock.at(this.#clock.now() + ms, () => {
      this.#delayed -= 1;
      this.#due.push(record);
      this.maxWaiting = Math.max(this.maxWaiting, this.#due.length);
      this.onAvailable();
    });
  }
}
