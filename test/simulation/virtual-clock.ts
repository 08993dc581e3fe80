import { setImmediate } from 'node:timers/promises';

interface Timer {
  readonly dueAtMs: number;
  readonly act: () => void;
}

/**
 * Time that stands still while anything can still be done, and then jumps to the next timer. Timers of one instant go off in the order in
 * which they were set, so a run is determined by its seed alone.
 */
export class VirtualClock {
  #nowMs: number;
  /** By instant, and those of one instant in the order in which they were set. */
  readonly #timers: Timer[] = [];

  /** @param startsAtMs in ms since 1970 */
  constructor(startsAtMs: number) {
    this.#nowMs = startsAtMs;
  }

  now(): number {
    return this.#nowMs;
  }

  at(dueAtMs: number, act: () => void): void {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#timers[middle]!.dueAtMs <= dueAtMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    this.#timers.splice(low, 0, { dueAtMs: Math.max(dueAtMs, this.#nowMs), act });
  }

  /** Resolves after so many ms. */
  after(ms: number): Promise<void> {
    return new Promise((resolve) => this.at(this.#nowMs + ms, resolve));
  }

  /**
   * Lets time pass until nothing is left to wait for.
   *
   * @returns false when there was still something at `untilMs`
   */
  async run(untilMs: number): Promise<boolean> {
    await setImmediate();
    for (let timer = this.#timers.shift(); timer !== undefined; timer = this.#timers.shift()) {
      if (timer.dueAtMs > untilMs) {
        return false;
      }
      this.#nowMs = timer.dueAtMs;
      timer.act();
      // The workers are real code with real promises: a turn of the event loop lets all that can go on do so.
      await setImmediate();
    }
    return true;
  }
}
