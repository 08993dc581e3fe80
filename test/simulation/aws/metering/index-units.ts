import type { Item } from '../../../../functions/adapters/dynamodb/marshalled.ts';
import { itemBytes, writeUnits } from './item-size.ts';
import type { Meter } from './meter.ts';

/**
 * A partition takes this many write units a second. Source: "Warm throughput scenarios", Amazon DynamoDB
 * Developer Guide.
 */
const PARTITION_UNITS_PER_SECOND = 1_000;

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
  readonly #loads = new Map<string, { freeAtMs: number; second: number; units: number }>();

  constructor(table: string, tableKeys: readonly string[], plan: IndexPlan, meter: Meter) {
    this.#plan = plan;
    this.#name = `${table}.${plan.name}`;
    const { attributes, partitionKey, sortKey } = plan;
    const keys = [...tableKeys, partitionKey, sortKey];
    this.#attributes =
      attributes === 'all' ? 'all' : [...new Set([...keys, ...(attributes === 'none' ? [] : attributes)])];
    this.#meter = meter;
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
      ...units.map(([item, bytes]) => this.#take(String(item[partitionKey]), writeUnits(bytes))),
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

  #take(partition: string, units: number): number {
    const nowMs = this.#meter.now();
    const second = Math.floor(nowMs / 1_000);
    const load = this.#loads.get(partition) ?? { freeAtMs: Number.NEGATIVE_INFINITY, second, units: 0 };
    this.#loads.set(partition, load);
    load.units = load.second === second ? load.units + units : units;
    load.second = second;
    // Unused units of the last second are still available.
    load.freeAtMs = Math.max(load.freeAtMs, nowMs - 1_000) + (units * 1_000) / PARTITION_UNITS_PER_SECOND;
    const waitMs = Math.max(0, load.freeAtMs - nowMs);
    this.#meter.write(this.#name, units);
    this.#meter.partition(this.#name, load.units, waitMs);
    return waitMs;
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
