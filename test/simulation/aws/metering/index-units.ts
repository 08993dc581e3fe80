import type { Item } from '../../../../functions/adapters/dynamodb/marshalled.ts';
import { itemBytes, writeUnits } from './item-size.ts';
import type { Meter } from './meter.ts';
import { PartitionLoads } from './partition-loads.ts';

export interface IndexPlan {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly attributes: readonly string[] | 'all' | 'none';
}

/**
 * Counts the units that DynamoDB would charge for an index, and how long its busiest partition makes a write
 * wait.
 */
export class IndexUnits {
  readonly #plan: IndexPlan;
  readonly #name: string;
  readonly #attributes: readonly string[] | 'all';
  readonly #meter: Meter;
  readonly #loads: PartitionLoads;

  constructor(table: string, tableKeys: readonly string[], plan: IndexPlan, meter: Meter) {
    this.#plan = plan;
    this.#name = `${table}.${plan.name}`;
    const { attributes, partitionKey, sortKey } = plan;
    const keys = [...tableKeys, partitionKey, sortKey];
    this.#attributes =
      attributes === 'all' ? 'all' : [...new Set([...keys, ...(attributes === 'none' ? [] : attributes)])];
    this.#meter = meter;
    this.#loads = new PartitionLoads(this.#name, meter);
  }

  /** @returns how long the write has to wait for its partition, in ms */
  change(before: Item | undefined, after: Item | undefined): number {
    const [old, next] = [this.#projected(before), this.#projected(after)];
    if (old === undefined && next === undefined) {
      return 0;
    }
    const { partitionKey, sortKey } = this.#plan;
    const stays =
      old !== undefined &&
      next !== undefined &&
      old[partitionKey] === next[partitionKey] &&
      old[sortKey] === next[sortKey];
    if (stays && isSame(old, next)) {
      return 0;
    }
    const units = stays
      ? [[next, Math.max(itemBytes(old), itemBytes(next))] as const]
      : [old, next].flatMap((one) => (one === undefined ? [] : [[one, itemBytes(one)] as const]));
    return Math.max(
      ...units.map(([item, bytes]) => this.#loads.take(String(item[partitionKey]), writeUnits(bytes))),
    );
  }

  /** An eventually consistent query: half a unit for each four kilobytes. */
  query(items: readonly Item[]): void {
    const bytes = items.reduce((sum, item) => sum + itemBytes(this.#projected(item) ?? {}), 0);
    this.#meter.read(this.#name, Math.max(1, Math.ceil(bytes / 4_096)) / 2);
  }

  #projected(item: Item | undefined): Item | undefined {
    const { partitionKey, sortKey } = this.#plan;
    if (item?.[partitionKey] === undefined || item[sortKey] === undefined) {
      return undefined;
    }
    return this.#attributes === 'all'
      ? item
      : Object.fromEntries(this.#attributes.map((name) => [name, item[name]]));
  }
}

function isSame(one: Item, other: Item): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every(
    (name) =>
      one[name] === other[name] ||
      (typeof one[name] === 'object' && JSON.stringify(one[name]) === JSON.stringify(other[name])),
  );
}
