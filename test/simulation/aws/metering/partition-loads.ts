import type { Meter } from './meter.ts';

/**
 * A partition takes this many write units a second. Source: "Warm throughput scenarios", Amazon DynamoDB
 * Developer Guide.
 */
const UNITS_PER_SECOND = 1_000;

/** The write units of a table or an index, by its partitions: each takes only this many a second. */
export class PartitionLoads {
  readonly #name: string;
  readonly #meter: Meter;
  readonly #loads = new Map<string, { freeAtMs: number; second: number; units: number }>();

  /** @param name of the table, or `table.index` */
  constructor(name: string, meter: Meter) {
    this.#name = name;
    this.#meter = meter;
  }

  /** @returns how long the write has to wait for its partition, in ms */
  take(partition: string, units: number): number {
    const nowMs = this.#meter.now();
    const second = Math.floor(nowMs / 1_000);
    const load = this.#loads.get(partition) ?? { freeAtMs: Number.NEGATIVE_INFINITY, second, units: 0 };
    this.#loads.set(partition, load);
    load.units = load.second === second ? load.units + units : units;
    load.second = second;
    // Unused units of the last second are still available.
    load.freeAtMs = Math.max(load.freeAtMs, nowMs - 1_000) + (units * 1_000) / UNITS_PER_SECOND;
    const waitMs = Math.max(0, load.freeAtMs - nowMs);
    this.#meter.write(this.#name, units);
    this.#meter.partition(this.#name, load.units, waitMs);
    return waitMs;
  }
}
