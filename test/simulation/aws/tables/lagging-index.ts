import { Heap } from '../../clock/heap.ts';
import { SortedEntries } from './sorted-entries.ts';

interface Change<Item> {
  readonly visibleAtMs: number;
  readonly number: number;
  readonly name: string;
  readonly item: Item | undefined;
}

interface Entry<Item> {
  readonly sort: string;
  readonly partition: string;
  readonly item: Item;
}

interface Options<Item> {
  readonly now: () => number;
  /** How long the next change takes to the index. */
  readonly lagMs: () => number;
  /** @default one partition for all */
  readonly partitionOf?: (item: Item) => string;
  readonly sortOf: (item: Item) => string;
  readonly whenWritten?: (item: Item, visibleAtMs: number) => void;
}

/**
 * An index of a table: a change to an item becomes visible some time later, the changes of one item in their
 * order.
 */
export class LaggingIndex<Item> {
  readonly #options: Options<Item>;
  readonly #seen = new Map<string, Entry<Item>>();
  readonly #partitions = new Map<string, SortedEntries<Entry<Item>>>();
  readonly #lastVisibleAtMs = new Map<string, number>();
  readonly #pending = new Heap<Change<Item>>(
    (one, other) =>
      one.visibleAtMs < other.visibleAtMs ||
      (one.visibleAtMs === other.visibleAtMs && one.number < other.number),
  );
  #lastNumber = 0;

  constructor(options: Options<Item>) {
    this.#options = options;
  }

  /**
   * @param item undefined when it is no longer in the index
   * @param waitMs how long the write waits for its partition, on top of the usual lag
   */
  write(name: string, item: Item | undefined, waitMs = 0): void {
    const { now, lagMs, whenWritten } = this.#options;
    const last = this.#lastVisibleAtMs.get(name);
    const visibleAtMs = Math.max(now() + lagMs() + waitMs, last ?? 0);
    if (item === undefined && last === undefined && !this.#seen.has(name)) {
      return;
    }
    this.#lastVisibleAtMs.set(name, visibleAtMs);
    this.#lastNumber += 1;
    this.#pending.push({ visibleAtMs, number: this.#lastNumber, name, item });
    if (item !== undefined) {
      whenWritten?.(item, visibleAtMs);
    }
  }

  /** Puts an item there before time begins: visible at once. */
  load(name: string, item: Item): void {
    this.#show(name, item);
  }

  /** All that can be seen, now or later. */
  get outlook(): readonly { readonly item: Item; readonly visibleAtMs: number }[] {
    const seen = this.items.map((item) => ({ item, visibleAtMs: 0 }));
    const pending = this.#pending.entries.flatMap(({ item, visibleAtMs }) =>
      item === undefined ? [] : [{ item, visibleAtMs }],
    );
    return [...seen, ...pending];
  }

  /** What can be seen by now. */
  get items(): readonly Item[] {
    this.#settle();
    return [...this.#seen.values()].map(({ item }) => item);
  }

  /** What can be seen of a partition by now, in order, from a sort key on. */
  *from(from: string, partition = ''): Generator<Item> {
    this.#settle();
    for (const { item } of this.#partitions.get(partition)?.from(from) ?? []) {
      yield item;
    }
  }

  /** What can be seen of a partition by now: the last in its order, the last one first. */
  last(count: number, partition = ''): Item[] {
    this.#settle();
    return (
      this.#partitions
        .get(partition)
        ?.last(count)
        .map(({ item }) => item) ?? []
    );
  }

  #settle(): void {
    const nowMs = this.#options.now();
    for (let next = this.#pending.first; next !== undefined && next.visibleAtMs <= nowMs; ) {
      this.#pending.pop();
      this.#show(next.name, next.item);
      if (this.#lastVisibleAtMs.get(next.name) === next.visibleAtMs) {
        this.#lastVisibleAtMs.delete(next.name);
      }
      next = this.#pending.first;
    }
  }

  #show(name: string, item: Item | undefined): void {
    const known = this.#seen.get(name);
    if (known !== undefined) {
      this.#partitions.get(known.partition)?.remove(known.sort);
      this.#seen.delete(name);
    }
    if (item !== undefined) {
      const { partitionOf = () => '', sortOf } = this.#options;
      const partition = partitionOf(item);
      const entries = this.#partitions.get(partition) ?? new SortedEntries<Entry<Item>>();
      this.#partitions.set(partition, entries);
      const entry = { sort: `${sortOf(item)}\n${name}`, partition, item };
      entries.add(entry);
      this.#seen.set(name, entry);
    }
  }
}
