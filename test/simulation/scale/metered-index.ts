import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import { itemBytes, writeUnits } from '../../../load/cost/item-size.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Meter } from './meter.ts';
import { SortedEntries } from './sorted-entries.ts';

/** What a change to a table takes to its indexes, in ms: "typically a fraction of a second". */
const LAG_MS = 20;

/** A partition takes so many write units a second. Source: "Warm throughput scenarios", Amazon DynamoDB Developer Guide. */
const PARTITION_UNITS_PER_SECOND = 1_000;

interface Entry {
  readonly sort: string;
  readonly item: Item;
  readonly bytes: number;
}

export interface IndexPlan {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly attributes: readonly string[] | 'all' | 'none';
  /** Whether somebody reads it; if not, its entries are only paid for. */
  readonly isRead: boolean;
}

/** An index of a table: what it holds, later than the table, and what its writes cost. No partition takes more than DynamoDB lets it. */
export class MeteredIndex {
  readonly #plan: IndexPlan;
  readonly #name: string;
  readonly #keys: ReadonlySet<string>;
  readonly #meter: Meter;
  readonly #clock: VirtualClock;
  readonly #partitions = new Map<string, SortedEntries<Entry>>();
  readonly #held = new Map<string, { readonly partition: string; readonly sort: string }>();
  readonly #loads = new Map<string, { freeAtMs: number; second: number; units: number }>();

  constructor(
    table: string,
    tableKeys: readonly string[],
    plan: IndexPlan,
    meter: Meter,
    clock: VirtualClock,
  ) {
    this.#plan = plan;
    this.#name = `${table}.${plan.name}`;
    this.#keys = new Set([...tableKeys, plan.partitionKey, plan.sortKey]);
    this.#meter = meter;
    this.#clock = clock;
  }

  /** @returns how long the write has to wait for its partition, in ms */
  change(id: string, before: Item | undefined, after: Item | undefined): number {
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
    const waits = units.map(([item, bytes]) => this.#take(String(item[partitionKey]), writeUnits(bytes)));
    const waitMs = Math.max(...waits);
    if (this.#plan.isRead) {
      this.#clock.at(this.#clock.now() + LAG_MS + waitMs, () => this.show(id, after));
    }
    return waitMs;
  }

  /** Has the index hold an item as it is, or no more. */
  show(id: string, item: Item | undefined): void {
    const held = this.#held.get(id);
    if (held !== undefined) {
      this.#partitions.get(held.partition)?.remove(held.sort);
      this.#held.delete(id);
    }
    const projected = this.#projected(item);
    if (item !== undefined && projected !== undefined) {
      const partition = String(projected[this.#plan.partitionKey]);
      const sort = `${projected[this.#plan.sortKey]}\n${id}`;
      const entries = this.#partitions.get(partition) ?? new SortedEntries<Entry>();
      this.#partitions.set(partition, entries);
      entries.add({ sort, item, bytes: itemBytes(projected) });
      this.#held.set(id, { partition, sort });
    }
  }

  /** The first entries of a partition from `from` on, as far as `until`, with what reading them costs. */
  query(
    partition: string,
    max: number,
    { from = '', until = '\uffff' }: { readonly from?: string; readonly until?: string } = {},
  ): Item[] {
    const found: Item[] = [];
    let bytes = 0;
    for (const entry of this.#partitions.get(partition) ?? []) {
      if (found.length === max || entry.sort.slice(0, until.length) > until) {
        break;
      }
      if (entry.sort < from) {
        continue;
      }
      found.push(entry.item);
      bytes += entry.bytes;
    }
    // Eventually consistent: half a unit for each four kilobytes.
    this.#meter.read(this.#name, Math.max(1, Math.ceil(bytes / 4_096)) / 2);
    return found;
  }

  #projected(item: Item | undefined): Item | undefined {
    const { attributes, partitionKey, sortKey } = this.#plan;
    if (item?.[partitionKey] === undefined || item[sortKey] === undefined) {
      return undefined;
    }
    if (attributes === 'all') {
      return item;
    }
    const names = attributes === 'none' ? [...this.#keys] : [...this.#keys, ...attributes];
    return Object.fromEntries(names.map((name) => [name, item[name]]));
  }

  #take(partition: string, units: number): number {
    const nowMs = this.#clock.now();
    const second = Math.floor(nowMs / 1_000);
    const load = this.#loads.get(partition) ?? { freeAtMs: Number.NEGATIVE_INFINITY, second, units: 0 };
    this.#loads.set(partition, load);
    load.units = load.second === second ? load.units + units : units;
    load.second = second;
    // What was not used in the last second is still there.
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
