/** A least-recently-used cache. The memory of an environment must not grow with the number of partners. */
export class RecentlyUsed<Value> {
  readonly #max: number;
  /** In order of last use, oldest first. */
  readonly #values = new Map<string, Value>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#values.size;
  }

  get(name: string): Value | undefined {
    const value = this.#values.get(name);
    if (value !== undefined) {
      this.set(name, value);
    }
    return value;
  }

  set(name: string, value: Value): void {
    this.#values.delete(name);
    this.#values.set(name, value);
    if (this.#values.size > this.#max) {
      this.#values.delete(this.#values.keys().next().value as string);
    }
  }

  delete(name: string): void {
    this.#values.delete(name);
  }
}
