import type { Item } from '../../../../functions/adapters/dynamodb/marshalled.ts';
import { type IndexPlan, IndexUnits } from './index-units.ts';
import { itemBytes, readUnits, writeUnits } from './item-size.ts';
import type { Meter } from './meter.ts';
import { PartitionLoads } from './partition-loads.ts';

export interface TablePlan {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
  readonly indexes?: readonly IndexPlan[];
}

/**
 * Counts the units that DynamoDB would charge for a table. In a transaction each write counts twice, those of
 * its indexes once.
 */
export class TableUnits {
  readonly #name: string;
  readonly #partitionKey: string;
  readonly #partitions: PartitionLoads;
  readonly #meter: Meter;
  readonly #indexes: ReadonlyMap<string, IndexUnits>;

  constructor({ name, partitionKey, sortKey, indexes = [] }: TablePlan, meter: Meter) {
    this.#name = name;
    this.#partitionKey = partitionKey;
    this.#partitions = new PartitionLoads(name, meter);
    this.#meter = meter;
    const keys = [partitionKey, ...(sortKey === undefined ? [] : [sortKey])];
    this.#indexes = new Map(indexes.map((plan) => [plan.name, new IndexUnits(name, keys, plan, meter)]));
  }

  /**
   * A write of one item.
   *
   * @returns how long it has to wait for its partition, or the busiest one of its indexes, in ms
   */
  write(before: Item | undefined, after: Item | undefined, times: 1 | 2 = 1): number {
    const bytes = Math.max(bytesOf(before), bytesOf(after));
    const partition = String((after ?? before)?.[this.#partitionKey]);
    let waitMs = this.#partitions.take(partition, times * writeUnits(bytes));
    for (const index of this.#indexes.values()) {
      waitMs = Math.max(waitMs, index.change(before, after));
    }
    this.#meter.wait(waitMs);
    return waitMs;
  }

  /** A condition alone, or a write that was refused: it costs what the item that is there would. */
  check(item: Item | undefined, times: 1 | 2 = 1): void {
    this.#meter.write(this.#name, times * writeUnits(bytesOf(item)));
  }

  /** One strongly consistent read of one item, or of several in a query. */
  read(...items: readonly (Item | undefined)[]): void {
    this.#meter.read(this.#name, readUnits(items.reduce((sum, item) => sum + bytesOf(item), 0)));
  }

  /** A query of an index. */
  query(index: string, items: readonly Item[]): void {
    this.#indexes.get(index)?.query(items);
  }
}

function bytesOf(item: Item | undefined): number {
  return item === undefined ? 0 : itemBytes(item);
}
