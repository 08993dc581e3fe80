/** A binary heap: the entry before all others is at hand, and entries come and go in logarithmic time. */
export class Heap<Entry> {
  readonly #isBefore: (one: Entry, other: Entry) => boolean;
  #entries: Entry[] = [];

  /** @param isBefore a strict order, so that no two entries are equal */
  constructor(isBefore: (one: Entry, other: Entry) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#entries.length;
  }

  get first(): Entry | undefined {
    return this.#entries[0];
  }

  /** In no particular order. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  push(entry: Entry): void {
    this.#entries.push(entry);
    this.#rise(this.#entries.length - 1);
  }

  pop(): Entry | undefined {
    const entries = this.#entries;
    const first = entries[0];
    const last = entries.pop();
    if (last !== undefined && entries.length > 0) {
      entries[0] = last;
      this.#sink(0);
    }
    return first;
  }

  /** Drops the entries that are not to stay. */
  filter(stays: (entry: Entry) => boolean): void {
    this.#entries = this.#entries.filter(stays);
    for (let index = this.#entries.length >> 1; index >= 0; index -= 1) {
      this.#sink(index);
    }
  }

  #rise(from: number): void {
    const entries = this.#entries;
    const entry = entries[from]!;
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(entry, entries[parent]!)) {
        break;
      }
      entries[index] = entries[parent]!;
      index = parent;
    }
    entries[index] = entry;
  }

  #sink(from: number): void {
    const entries = this.#entries;
    const entry = entries[from];
    if (entry === undefined) {
      return;
    }
    let index = from;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= entries.length) {
        break;
      }
      const right = left + 1;
      const child = right < entries.length && this.#isBefore(entries[right]!, entries[left]!) ? right : left;
      if (!this.#isBefore(entries[child]!, entry)) {
        break;
      }
      entries[index] = entries[child]!;
      index = child;
    }
    entries[index] = entry;
  }
}
