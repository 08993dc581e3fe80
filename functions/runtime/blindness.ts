const TICK_MS = 20;

/** A timer of a process that has nothing to do is late by this much. */
const USUAL_MS = 5;

/**
 * Measures how long a process could not look at what had come: it was stopped, starved or busy, so its timers
 * were late. Measures only while work is under way, since Lambda stops an environment between invocations.
 */
export class Blindness {
  readonly #now: () => number;
  #ms = 0;
  #inside = 0;
  #dueAtMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** So far, with the time in which the process is late now. */
  get ms(): number {
    return this.#ms + this.#lateMs();
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#inside += 1;
    if (this.#inside === 1) {
      this.#wait();
    }
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      if (this.#inside === 0) {
        clearTimeout(this.#timer);
        this.#ms = this.ms;
        this.#timer = undefined;
      }
    }
  }

  #wait(): void {
    this.#dueAtMs = this.#now() + TICK_MS;
    this.#timer = setTimeout(() => {
      this.#ms = this.ms;
      this.#wait();
    }, TICK_MS);
  }

  #lateMs(): number {
    const lateMs = this.#timer === undefined ? 0 : this.#now() - this.#dueAtMs;
    return lateMs > USUAL_MS ? lateMs : 0;
  }
}
