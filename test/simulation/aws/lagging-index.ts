interface Change<Item> {
  readonly visibleAtMs: number;
  readonly name: string;
  readonly item: Item | undefined;
}

/** An index of a table: what is written to an item is seen some time later, each item's changes in their order. */
export class LaggingIndex<Item> {
  readonly #now: () => number;
  readonly #lagMs: () => number;
  readonly #whenWritten: (item: Item, visibleAtMs: number) => void;
  readonly #seen = new Map<string, Item>();
  readonly #lastVisibleAtMs = new Map<string, number>();
  #pending: Change<Item>[] = [];

  constructor(
    now: () => number,
    lagMs: () => number,
    whenWritten: (item: Item, visibleAtMs: number) => void = () => {},
  ) {
    this.#now = now;
    this.#lagMs = lagMs;
    this.#whenWritten = whenWritten;
  }

  /** @param item undefined when it is not in the index any more */
  write(name: string, item: Item | undefined): void {
    const visibleAtMs = Math.max(this.#now() + this.#lagMs(), this.#lastVisibleAtMs.get(name) ?? 0);
    this.#lastVisibleAtMs.set(name, visibleAtMs);
    this.#pending.push({ visibleAtMs, name, item });
    if (item !== undefined) {
      this.#whenWritten(item, visibleAtMs);
    }
  }

  /** All that can be seen, now or later. */
  get outlook(): readonly { readonly item: Item; readonly visibleAtMs: number }[] {
    const seen = this.items.map((item) => ({ item, visibleAtMs: 0 }));
    const pending = this.#pending.flatMap(({ item, visibleAtMs }) =>
      item === undefined ? [] : [{ item, visibleAtMs }],
    );
    return [...seen, ...pending];
  }

  /** What can be seen by now. */
  get items(): readonly Item[] {
    const nowMs = this.#now();
    const later: Change<Item>[] = [];
    for (const change of this.#pending) {
      if (change.visibleAtMs > nowMs) {
        later.push(change);
      } else if (change.item === undefined) {
        this.#seen.delete(change.name);
      } else {
        this.#seen.set(change.name, change.item);
      }
    }
    this.#pending = later;
    return [...this.#seen.values()];
  }
}
