import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import { itemBytes, readUnits, writeUnits } from '../../../load/cost/item-size.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Meter } from './meter.ts';
import { type IndexPlan, MeteredIndex } from './metered-index.ts';

interface Options {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
  readonly indexes?: readonly IndexPlan[];
  /** Called with the time, in ms, that the write under way has to wait. */
  readonly onThrottled: (waitMs: number) => void;
}

/** A table in memory that counts the units that DynamoDB would. In a transaction each write counts twice, those of its indexes once. */
export class MeteredTable {
  readonly #options: Options;
  readonly #meter: Meter;
  readonly #partitions = new Map<string, Map<string, Item>>();
  readonly #indexes: ReadonlyMap<string, MeteredIndex>;

  constructor(options: Options, meter: Meter, clock: VirtualClock) {
    this.#options = options;
    this.#meter = meter;
    const { name, partitionKey, sortKey, indexes = [] } = options;
    const keys = [partitionKey, ...(sortKey === undefined ? [] : [sortKey])];
    this.#indexes = new Map(
      indexes.map((plan) => [plan.name, new MeteredIndex(name, keys, plan, meter, clock)]),
    );
  }

  /** Puts an item there before time begins: at no cost. */
  load(item: Item): void {
    const [partition, sort] = this.#addressOf(item);
    this.#set(partition, sort, item);
    for (const index of this.#indexes.values()) {
      index.show(`${partition}\n${sort}`, item);
    }
  }

  /** How many partitions there are: in the history, how many messages. */
  get size(): number {
    return this.#partitions.size;
  }

  /** For those who only look. */
  peek(partition: string, sort = ''): Item | undefined {
    return this.#partitions.get(partition)?.get(sort);
  }

  /** Strongly consistent. */
  get(partition: string, sort = ''): Item | undefined {
    const item = this.peek(partition, sort);
    this.#meter.read(this.#options.name, readUnits(item === undefined ? 0 : itemBytes(item)));
    return item;
  }

  /** The first items of a partition whose sort keys begin so, strongly consistent. */
  first(partition: string, prefix: string, max: number): Item[] {
    const items = this.#partitions.get(partition) ?? new Map<string, Item>();
    const sorts = [...items.keys()].filter((sort) => sort.startsWith(prefix)).sort();
    const found = sorts.slice(0, max).map((sort) => items.get(sort)!);
    this.#meter.read(this.#options.name, readUnits(found.reduce((sum, item) => sum + itemBytes(item), 0)));
    return found;
  }

  put(item: Item, times: 1 | 2): void {
    const [partition, sort] = this.#addressOf(item);
    this.#replace(partition, sort, item, times);
  }

  delete(partition: string, sort: string, times: 1 | 2): void {
    this.#replace(partition, sort, undefined, times);
  }

  /** A condition alone, or a write that was refused: it costs what the item that is there would. */
  check(partition: string, sort: string, times: 1 | 2): void {
    const item = this.peek(partition, sort);
    this.#meter.write(this.#options.name, times * writeUnits(item === undefined ? 0 : itemBytes(item)));
  }

  index(name: string): MeteredIndex {
    return this.#indexes.get(name)!;
  }

  #replace(partition: string, sort: string, after: Item | undefined, times: 1 | 2): void {
    const before = this.peek(partition, sort);
    const bytes = Math.max(...[before, after].map((item) => (item === undefined ? 0 : itemBytes(item))));
    this.#meter.write(this.#options.name, times * writeUnits(bytes));
    for (const index of this.#indexes.values()) {
      this.#options.onThrottled(index.change(`${partition}\n${sort}`, before, after));
    }
    this.#set(partition, sort, after);
  }

  #set(partition: string, sort: string, item: Item | undefined): void {
    const items = this.#partitions.get(partition) ?? new Map<string, Item>();
    if (item !== undefined) {
      this.#partitions.set(partition, items.set(sort, item));
    } else if (items.delete(sort) && items.size === 0) {
      this.#partitions.delete(partition);
    }
  }

  #addressOf(item: Item): [string, string] {
    const { partitionKey, sortKey } = this.#options;
    return [String(item[partitionKey]), sortKey === undefined ? '' : String(item[sortKey])];
  }
}
