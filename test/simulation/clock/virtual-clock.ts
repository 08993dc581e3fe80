import { Heap } from './heap.ts';

/** Something that is to happen, until it is cancelled. */
export interface Timer {
  readonly dueAtMs: number;
  /** Absent once it has gone off or is cancelled. */
  readonly act?: (() => void) | undefined;
}

interface Entry extends Timer {
  readonly number: number;
  act?: (() => void) | undefined;
}

/** With fewer cancelled timers than this, dropping them is not worth the time. */
const MANY_CANCELLED = 10_000;

/**
 * Time that stands still while work is left, and then jumps to the next timer. Timers of the same instant go
 * off in the order in which they were set, so the seed alone determines a run.
 */
export class VirtualClock {
  #nowMs: number;
  #lastNumber = 0;
  #cancelled = 0;
  readonly #timers = new Heap<Entry>(
    (one, other) =>
      one.dueAtMs < other.dueAtMs || (one.dueAtMs === other.dueAtMs && one.number < other.number),
  );

  /** @param startsAtMs in ms since 1970 */
  constructor(startsAtMs: number) {
    this.#nowMs = startsAtMs;
  }

  now(): number {
    return this.#nowMs;
  }

  at(dueAtMs: number, act: () => void): Timer {
    this.#lastNumber += 1;
    const entry = { dueAtMs: Math.max(dueAtMs, this.#nowMs), act, number: this.#lastNumber };
    this.#timers.push(entry);
    return entry;
  }

  cancel(timer: Timer | undefined): void {
    if (timer?.act === undefined) {
      return;
    }
    (timer as Entry).act = undefined;
    this.#cancelled += 1;
    if (this.#cancelled > MANY_CANCELLED && this.#cancelled > this.#timers.size / 2) {
      this.#timers.filter(({ act }) => act !== undefined);
      this.#cancelled = 0;
    }
  }

  /** Resolves after this many ms. */
  after(ms: number): Promise<void> {
    return new Promise((resolve) => this.at(this.#nowMs + ms, resolve));
  }

  /**
   * Lets time pass until no timer is left, or until `isOver`.
   *
   * @param isOver asked after each step
   * @returns false when it was not over and there was still something to come at `untilMs`
   */
  async run(untilMs: number, isOver: () => boolean = () => false): Promise<boolean> {
    await turn();
    for (let timer = this.#next(); timer !== undefined; timer = this.#next()) {
      if (timer.dueAtMs > untilMs) {
        return false;
      }
      this.#timers.pop();
      this.#nowMs = timer.dueAtMs;
      const { act } = timer;
      timer.act = undefined;
      act?.();
      // Workers are real code with real promises: a turn of the event loop lets them all proceed.
      await turn();
      if (isOver()) {
        return true;
      }
    }
    return true;
  }

  /** The first that is not cancelled; it stays. */
  #next(): Entry | undefined {
    while (this.#timers.first !== undefined && this.#timers.first.act === undefined) {
      this.#timers.pop();
      this.#cancelled -= 1;
    }
    return this.#timers.first;
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
