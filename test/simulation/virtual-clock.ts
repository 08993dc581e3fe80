/** Something that is to happen, until it is cancelled. */
export interface Timer {
  readonly dueAtMs: number;
  /** Absent once it has gone off or is cancelled. */
  act?: (() => void) | undefined;
}

interface Entry extends Timer {
  readonly number: number;
}

/**
 * Time that stands still while anything can still be done, and then jumps to the next timer. Timers of one instant go off in the order in
 * which they were set, so a run is determined by its seed alone.
 */
export class VirtualClock {
  #nowMs: number;
  #lastNumber = 0;
  /** A binary heap: the next one is the first. */
  readonly #heap: Entry[] = [];

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
    this.#heap.push(entry);
    this.#rise(this.#heap.length - 1);
    return entry;
  }

  /** Resolves after so many ms. */
  after(ms: number): Promise<void> {
    return new Promise((resolve) => this.at(this.#nowMs + ms, resolve));
  }

  /**
   * Lets time pass until nothing is left to wait for, or until it is over.
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
      this.#take();
      this.#nowMs = timer.dueAtMs;
      const { act } = timer;
      timer.act = undefined;
      act?.();
      // The workers are real code with real promises: a turn of the event loop lets all that can go on do so.
      await turn();
      if (isOver()) {
        return true;
      }
    }
    return true;
  }

  /** The first that is not cancelled; it stays. */
  #next(): Entry | undefined {
    while (this.#heap[0] !== undefined && this.#heap[0].act === undefined) {
      this.#take();
    }
    return this.#heap[0];
  }

  #take(): void {
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
  }

  #rise(from: number): void {
    for (let index = from; index > 0; ) {
      const parent = (index - 1) >> 1;
      if (!this.#swapped(parent, index)) {
        return;
      }
      index = parent;
    }
  }

  #sink(): void {
    for (let index = 0; ; ) {
      const left = 2 * index + 1;
      const right = left + 1;
      const child = right < this.#heap.length && this.#isBefore(right, left) ? right : left;
      if (child >= this.#heap.length || !this.#swapped(index, child)) {
        return;
      }
      index = child;
    }
  }

  /** Puts the earlier of two on top. */
  #swapped(upper: number, lower: number): boolean {
    if (!this.#isBefore(lower, upper)) {
      return false;
    }
    const entry = this.#heap[upper]!;
    this.#heap[upper] = this.#heap[lower]!;
    this.#heap[lower] = entry;
    return true;
  }

  #isBefore(one: number, other: number): boolean {
    const [first, second] = [this.#heap[one]!, this.#heap[other]!];
    return (
      first.dueAtMs < second.dueAtMs || (first.dueAtMs === second.dueAtMs && first.number < second.number)
    );
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
