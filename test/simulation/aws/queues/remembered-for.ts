interface Remembered<Value> {
  readonly value: Value;
  readonly sinceMs: number;
}

/** Values by name, each forgotten after the same time: what AWS remembers against repeats. */
export class RememberedFor<Value> {
  readonly #forMs: number;
  readonly #now: () => number;
  /** The oldest first. */
  readonly #byName = new Map<string, Remembered<Value>>();

  constructor(forMs: number, now: () => number) {
    this.#forMs = forMs;
    this.#now = now;
  }

  get(name: string): Value | undefined {
    const known = this.#byName.get(name);
    return known !== undefined && this.#now() - known.sinceMs < this.#forMs ? known.value : undefined;
  }

  set(name: string, value: Value): void {
    const nowMs = this.#now();
    this.#byName.delete(name);
    this.#byName.set(name, { value, sinceMs: nowMs });
    for (const [old, { sinceMs }] of this.#byName) {
      if (nowMs - sinceMs < this.#forMs) {
        break;
      }
      this.#byName.delete(old);
    }
  }
}
